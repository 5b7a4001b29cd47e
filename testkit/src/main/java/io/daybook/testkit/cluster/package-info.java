// SPDX-License-Identifier: Apache-2.0
/** A real cluster in one process. */
@NullMarked
package io.daybook.testkit.cluster;

import org.jspecify.annotations.NullMarked;
