// SPDX-License-Identifier: Apache-2.0
/** The shapes of all FlatBuffers tables and the verifier that foreign bytes pass before an accessor touches them. */
@NullMarked
package io.daybook.protocol.wire.tables;

import org.jspecify.annotations.NullMarked;
