// SPDX-License-Identifier: Apache-2.0
/** How bytes stand on disk: checksums and small files that are replaced atomically. */
@NullMarked
package io.daybook.bookie.disk;

import org.jspecify.annotations.NullMarked;
