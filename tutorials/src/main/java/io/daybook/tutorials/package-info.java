// SPDX-License-Identifier: Apache-2.0
/** Short programs that show how to use streams and ledgers; the README of this module teaches them step by step. */
@NullMarked
package io.daybook.tutorials;

import org.jspecify.annotations.NullMarked;
