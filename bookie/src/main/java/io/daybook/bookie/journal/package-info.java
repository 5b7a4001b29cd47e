// SPDX-License-Identifier: Apache-2.0
/** Makes staged records durable before they are acknowledged. */
@NullMarked
package io.daybook.bookie.journal;

import org.jspecify.annotations.NullMarked;
