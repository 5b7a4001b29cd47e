// SPDX-License-Identifier: Apache-2.0
/** A whole cluster in this process: the demonstration and the lasting one. */
@NullMarked
package io.daybook.cli.command.local;

import org.jspecify.annotations.NullMarked;
