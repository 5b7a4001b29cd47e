// SPDX-License-Identifier: Apache-2.0
/** What processes agree on: identifiers, limits, status codes and the layout of an entry. */
@NullMarked
package io.daybook.protocol;

import org.jspecify.annotations.NullMarked;
