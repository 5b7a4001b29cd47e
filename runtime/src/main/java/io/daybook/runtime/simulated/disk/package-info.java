// SPDX-License-Identifier: Apache-2.0
/** Simulated disks: durable bytes and names, operations that are not yet durable, and what a crash makes of them. */
@NullMarked
package io.daybook.runtime.simulated.disk;

import org.jspecify.annotations.NullMarked;
