// SPDX-License-Identifier: Apache-2.0
/** What a bookie tells of itself to an operator who asks. */
@NullMarked
package io.daybook.protocol.wire.description;

import org.jspecify.annotations.NullMarked;
