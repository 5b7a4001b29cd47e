// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

/** A standing request to be told of changes. Notices are hints: they may be late, merged or repeated, so the listener reads again (M4). */
public interface Watch extends AutoCloseable {
    /** Ends the watch; a notice on its way may still arrive. Idempotent, any thread. */
    @Override
    void close();
}
