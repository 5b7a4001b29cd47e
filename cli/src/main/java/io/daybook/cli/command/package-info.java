// SPDX-License-Identifier: Apache-2.0
/** One class per command. */
@NullMarked
package io.daybook.cli.command;

import org.jspecify.annotations.NullMarked;
