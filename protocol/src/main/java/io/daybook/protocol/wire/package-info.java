// SPDX-License-Identifier: Apache-2.0
/** Wire messages: what travels in the frames of a link. */
@NullMarked
package io.daybook.protocol.wire;

import org.jspecify.annotations.NullMarked;
