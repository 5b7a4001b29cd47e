// SPDX-License-Identifier: Apache-2.0
/** Measurements of hot paths. */
@NullMarked
package io.daybook.benchmarks;

import org.jspecify.annotations.NullMarked;
