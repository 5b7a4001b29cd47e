// SPDX-License-Identifier: Apache-2.0
/** Assembles streams made of ledgers. */
@NullMarked
package io.daybook.stream.core;

import org.jspecify.annotations.NullMarked;
