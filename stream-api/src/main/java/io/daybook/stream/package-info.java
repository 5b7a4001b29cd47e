// SPDX-License-Identifier: Apache-2.0
/** What applications see: namespaces, streams, records and positions. */
@NullMarked
package io.daybook.stream;

import org.jspecify.annotations.NullMarked;
