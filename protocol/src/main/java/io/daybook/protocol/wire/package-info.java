// SPDX-License-Identifier: Apache-2.0
/** The messages on a link and their encoding. */
@NullMarked
package io.daybook.protocol.wire;

import org.jspecify.annotations.NullMarked;
