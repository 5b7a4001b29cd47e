// SPDX-License-Identifier: Apache-2.0
/** The ports on a real machine: the host that puts loops, network and disks together. */
@NullMarked
package io.daybook.runtime.system;

import org.jspecify.annotations.NullMarked;
