// SPDX-License-Identifier: Apache-2.0
/** What every command is given: global options, streams of the process, connections. */
@NullMarked
package io.daybook.cli.invocation;

import org.jspecify.annotations.NullMarked;
