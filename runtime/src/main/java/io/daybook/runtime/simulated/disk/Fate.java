// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

/** What a crash makes of one operation that was not durable yet. */
public enum Fate {
    /** Nothing of it happened. */
    LOST,
    /** All of it happened. */
    KEPT,
    /** Of a write only some 512-byte sectors happened; a change of a name or a size happened. */
    TORN,
    /** A write changed the size only; what it added reads as zeros. */
    GREW_ZERO,
    /** A write changed the size only; what it added reads as bytes of some file that was here before. */
    GREW_OLD
}
