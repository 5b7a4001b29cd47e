// SPDX-License-Identifier: Apache-2.0
/** Finds damage in a bookie's files before somebody reads there: every record and every index file is checked, slowly, again and again. */
@NullMarked
package io.daybook.bookie.scrub;

import org.jspecify.annotations.NullMarked;
