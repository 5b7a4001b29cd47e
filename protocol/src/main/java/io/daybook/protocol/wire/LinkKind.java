// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

/** What a link is for. A client keeps one of each to a bookie, so that a fence or a tail read never waits behind a queue of appends. */
public enum LinkKind {
    /** Adds and publishes. */
    APPEND(1),
    /** Everything else. */
    OTHER(2);

    private final int number;

    LinkKind(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** The kind of that number; throws {@link BadFrameException} when there is none. */
    static LinkKind of(int number) {
        return switch (number) {
            case 1 -> APPEND;
            case 2 -> OTHER;
            default -> throw new BadFrameException("a hello for an unknown kind of link, " + number);
        };
    }
}
