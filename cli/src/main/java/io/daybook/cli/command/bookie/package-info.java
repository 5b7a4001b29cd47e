// SPDX-License-Identifier: Apache-2.0
/** Commands on bookies. */
@NullMarked
package io.daybook.cli.command.bookie;

import org.jspecify.annotations.NullMarked;
