// SPDX-License-Identifier: Apache-2.0
/** The bytes of metadata values: records to FlatBuffers tables and back. */
@NullMarked
package io.daybook.metadata.format;

import org.jspecify.annotations.NullMarked;
