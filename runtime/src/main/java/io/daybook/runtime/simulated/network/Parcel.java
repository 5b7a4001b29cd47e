// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

/** Something on its way from one end of a link to the other. */
final class Parcel {
    /** What it is. */
    enum Kind {
        /** The link is open. */
        OPENED,
        /** A frame. */
        FRAME,
        /** The sender has closed the link and sends nothing more. */
        END,
        /** The link is broken. */
        RESET
    }

    private static final byte[] NOTHING = {};

    final Kind kind;
    final byte[] bytes;
    final String reason;
    /** Whether it passes where everything else is held up. */
    final boolean forced;

    long departureNanos;
    /** Drawn when it departs. */
    long latencyNanos;
    /** When it has passed the wire. */
    long leftNanos;

    long arrivalNanos;

    private Parcel(Kind kind, byte[] bytes, String reason, boolean forced) {
        this.kind = kind;
        this.bytes = bytes;
        this.reason = reason;
        this.forced = forced;
    }

    static Parcel opened() {
        return new Parcel(Kind.OPENED, NOTHING, "", false);
    }

    static Parcel frame(byte[] bytes) {
        return new Parcel(Kind.FRAME, bytes, "", false);
    }

    static Parcel end() {
        return new Parcel(Kind.END, NOTHING, "", false);
    }

    static Parcel reset(String reason, boolean forced) {
        return new Parcel(Kind.RESET, NOTHING, reason, forced);
    }
}
