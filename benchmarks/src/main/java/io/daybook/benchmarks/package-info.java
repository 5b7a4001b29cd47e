// SPDX-License-Identifier: Apache-2.0
/** Measures whole clusters: puts load on them and says what came of it and at what cost. */
@NullMarked
package io.daybook.benchmarks;

import org.jspecify.annotations.NullMarked;
