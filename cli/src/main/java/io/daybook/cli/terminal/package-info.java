// SPDX-License-Identifier: Apache-2.0
/** What a command says and how: results, progress, failures, exit codes. */
@NullMarked
package io.daybook.cli.terminal;

import org.jspecify.annotations.NullMarked;
