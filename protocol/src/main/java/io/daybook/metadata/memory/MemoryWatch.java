// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

/** Who is told of changes to what. Two watches are the same only if they are one. */
final class MemoryWatch {
    private final Object owner;
    private final String topic;
    private final Runnable listener;

    MemoryWatch(Object owner, String topic, Runnable listener) {
        this.owner = owner;
        this.topic = topic;
        this.listener = listener;
    }

    Object owner() {
        return owner;
    }

    String topic() {
        return topic;
    }

    Runnable listener() {
        return listener;
    }
}
