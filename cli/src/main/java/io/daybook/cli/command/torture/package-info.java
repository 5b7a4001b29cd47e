// SPDX-License-Identifier: Apache-2.0
/** Faults made to real processes: {@code daybook torture}. */
@NullMarked
package io.daybook.cli.command.torture;

import org.jspecify.annotations.NullMarked;
