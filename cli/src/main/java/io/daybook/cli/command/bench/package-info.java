// SPDX-License-Identifier: Apache-2.0
/** Commands that measure: {@code daybook bench}. */
@NullMarked
package io.daybook.cli.command.bench;

import org.jspecify.annotations.NullMarked;
