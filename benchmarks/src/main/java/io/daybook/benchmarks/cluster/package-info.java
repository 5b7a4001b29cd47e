// SPDX-License-Identifier: Apache-2.0
/** Clusters to put under load, in this process and in processes of their own. */
@NullMarked
package io.daybook.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
