// SPDX-License-Identifier: Apache-2.0
/** The ports on which every machine of Daybook runs: event loop, network, disk, chance and fault points. */
@NullMarked
package io.daybook.runtime;

import org.jspecify.annotations.NullMarked;
