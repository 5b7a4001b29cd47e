// SPDX-License-Identifier: Apache-2.0
/** Commands on a cluster. */
@NullMarked
package io.daybook.cli.command.cluster;

import org.jspecify.annotations.NullMarked;
