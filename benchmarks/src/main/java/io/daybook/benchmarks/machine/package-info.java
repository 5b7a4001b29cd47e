// SPDX-License-Identifier: Apache-2.0
/** What the machine gives and what it was doing: disk, processors, conditions. */
@NullMarked
package io.daybook.benchmarks.machine;

import org.jspecify.annotations.NullMarked;
