// SPDX-License-Identifier: Apache-2.0
/** How commands are told which directories and settings are a bookie's, and how they open those of one that does not run. */
@NullMarked
package io.daybook.cli.command.bookie.directories;

import org.jspecify.annotations.NullMarked;
