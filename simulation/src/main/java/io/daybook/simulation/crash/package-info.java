// SPDX-License-Identifier: Apache-2.0
/** Crashes one bookie after every disk operation of short lives, in every way its disks may be found, and starts it again. */
@NullMarked
package io.daybook.simulation.crash;

import org.jspecify.annotations.NullMarked;
