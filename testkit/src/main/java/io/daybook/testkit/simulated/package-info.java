// SPDX-License-Identifier: Apache-2.0
/** Bookies and metadata under the simulator. */
@NullMarked
package io.daybook.testkit.simulated;

import org.jspecify.annotations.NullMarked;
