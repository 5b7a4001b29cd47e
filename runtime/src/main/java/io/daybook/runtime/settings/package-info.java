// SPDX-License-Identifier: Apache-2.0
/** Settings as checked, immutable records. */
@NullMarked
package io.daybook.runtime.settings;

import org.jspecify.annotations.NullMarked;
