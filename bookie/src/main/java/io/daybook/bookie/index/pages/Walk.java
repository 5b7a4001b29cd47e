// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import java.util.Iterator;
import java.util.function.BiConsumer;

/**
 * Deals with one thing after the other, each of which may take its time or none, at a depth of the stack that does not depend on how many there are.
 *
 * <p><i>Threading:</i> one loop.
 */
public final class Walk<T> {
    private final Iterator<T> left;
    private final BiConsumer<T, Runnable> step;
    private final Runnable then;
    private boolean isLooping;
    private boolean isDealtWith;

    private Walk(Iterator<T> left, BiConsumer<T, Runnable> step, Runnable then) {
        this.left = left;
        this.step = step;
        this.then = then;
    }

    /**
     * Begins.
     *
     * @param step deals with one thing, then runs what it is given, once
     * @param then follows after the last
     */
    public static <T> void over(Iterable<T> all, BiConsumer<T, Runnable> step, Runnable then) {
        new Walk<>(all.iterator(), step, then).next();
    }

    private void next() {
        isDealtWith = true;
        if (isLooping) {
            return;
        }
        isLooping = true;
        while (isDealtWith) {
            isDealtWith = false;
            if (left.hasNext()) {
                step.accept(left.next(), this::next);
            } else {
                then.run();
            }
        }
        isLooping = false;
    }
}
