// SPDX-License-Identifier: Apache-2.0
/** How people and programs see bookies. */
@NullMarked
package io.daybook.cli.command.bookie.show;

import org.jspecify.annotations.NullMarked;
