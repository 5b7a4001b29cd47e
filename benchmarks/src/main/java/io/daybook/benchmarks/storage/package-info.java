// SPDX-License-Identifier: Apache-2.0
/** What a bookie writes and reads for what it was given. */
@NullMarked
package io.daybook.benchmarks.storage;

import org.jspecify.annotations.NullMarked;
