// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of single parts and of the append path in one process. */
@NullMarked
package io.daybook.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
