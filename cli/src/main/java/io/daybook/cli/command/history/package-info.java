// SPDX-License-Identifier: Apache-2.0
/** Commands about recorded histories of calls. */
@NullMarked
package io.daybook.cli.command.history;

import org.jspecify.annotations.NullMarked;
