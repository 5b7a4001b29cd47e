// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Pages in a map, of which every call ends when the test says so. */
public final class DelayedPages implements PageIo {
    private final TreeMap<Long, Image> images = new TreeMap<>();
    private final List<Runnable> queue = new ArrayList<>();
    private Random random = new Random(0);
    private boolean isFailing;
    private boolean isDamaged;

    /** Chance decides which calls end, and which writes fail. */
    public DelayedPages over(Random next) {
        random = next;
        return this;
    }

    /** What was written reads otherwise. */
    public void damageAll() {
        isDamaged = true;
    }

    /** The next read finds that the device does not answer. */
    public void failNext() {
        isFailing = true;
    }

    @Override
    public void read(Place place, boolean insists, Consumer<Answer> done) {
        queue.add(() -> {
            Image image = images.get(place.position());
            if (isFailing) {
                isFailing = false;
                done.accept(Answer.UNREADABLE);
            } else if (isDamaged || image == null || !image.place().equals(place)) {
                done.accept(Answer.DAMAGED);
            } else {
                done.accept(new Answer(image.rows().copy(), false));
            }
        });
    }

    @Override
    public void write(List<Image> pages, boolean isUrgent, Consumer<Boolean> done) {
        boolean fails = random.nextInt(10) == 0;
        queue.add(() -> {
            if (!fails) {
                pages.forEach(image -> images.put(image.place().position(), image));
            }
            done.accept(!fails);
        });
    }

    /** The oldest calls end, perhaps. */
    public void runSome() {
        for (int left = random.nextInt(1 + queue.size()); left > 0; left--) {
            queue.remove(0).run();
        }
    }

    /** All calls end. */
    public void runAll() {
        while (!queue.isEmpty()) {
            queue.remove(0).run();
        }
    }
}
