// SPDX-License-Identifier: Apache-2.0
/** What keeps streams within their bounds and removes what is not needed any more. */
@NullMarked
package io.daybook.stream.core.maintenance;

import org.jspecify.annotations.NullMarked;
