// SPDX-License-Identifier: Apache-2.0
/** Results for people and for programs. */
@NullMarked
package io.daybook.benchmarks.report;

import org.jspecify.annotations.NullMarked;
