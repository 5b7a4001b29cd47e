// SPDX-License-Identifier: Apache-2.0
/** Commands on streams. */
@NullMarked
package io.daybook.cli.command.stream;

import org.jspecify.annotations.NullMarked;
