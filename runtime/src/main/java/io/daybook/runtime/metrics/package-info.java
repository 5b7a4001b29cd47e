// SPDX-License-Identifier: Apache-2.0
/** Counters and histograms. */
@NullMarked
package io.daybook.runtime.metrics;

import org.jspecify.annotations.NullMarked;
