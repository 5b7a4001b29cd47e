// SPDX-License-Identifier: Apache-2.0
/** Workloads with streams: owners that take over from each other, readers that follow, a keeper that truncates. */
@NullMarked
package io.daybook.simulation.streams;

import org.jspecify.annotations.NullMarked;
