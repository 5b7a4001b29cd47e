// SPDX-License-Identifier: Apache-2.0
/** {@code daybook stream}: how a stream is kept, and what of it. */
@NullMarked
package io.daybook.cli.command.stream.keep;

import org.jspecify.annotations.NullMarked;
