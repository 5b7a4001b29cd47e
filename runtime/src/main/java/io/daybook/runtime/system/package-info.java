// SPDX-License-Identifier: Apache-2.0
/** The ports on a real machine. */
@NullMarked
package io.daybook.runtime.system;

import org.jspecify.annotations.NullMarked;
