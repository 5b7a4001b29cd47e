// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

/** Who is told of changes to what. */
record MemoryWatch(Object owner, String topic, Runnable listener) {}
