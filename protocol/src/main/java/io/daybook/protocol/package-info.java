// SPDX-License-Identifier: Apache-2.0
/** Identifiers, limits and status codes that processes agree on. */
@NullMarked
package io.daybook.protocol;

import org.jspecify.annotations.NullMarked;
