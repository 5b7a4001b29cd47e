// SPDX-License-Identifier: Apache-2.0
/** {@code daybook subscription}: named positions in streams. */
@NullMarked
package io.daybook.cli.command.subscription;

import org.jspecify.annotations.NullMarked;
