// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Memory of the index when its file does not do what it should. */
final class PageCacheTest {
    private static final int BYTES = 1024 * 1024;

    private final Refusing file = new Refusing();
    private final PageCache cache = PageCache.bounded(BYTES);
    private final List<RunPage> made = new ArrayList<>();
    private long nextEntry;

    /** Takes pages or not, at once. */
    private static final class Refusing implements PageIo {
        private boolean refuses;
        private boolean takesUrgent;
        private int writes;

        @Override
        public void read(Place place, boolean insists, Consumer<Answer> done) {
            done.accept(Answer.UNREADABLE);
        }

        @Override
        public void write(List<Image> images, boolean isUrgent, Consumer<Boolean> done) {
            writes++;
            done.accept(!refuses || (takesUrgent && isUrgent));
        }
    }

    private void addPages(PageCache to, int count) {
        for (int page = 0; page < count; page++) {
            RunRows rows = new RunRows();
            for (int row = 0; row < to.rowsMax(); row++) {
                rows.insert(nextEntry++, 1, 1, row, 100);
            }
            made.add(to.page(nextEntry - to.rowsMax(), nextEntry, rows));
            to.trim();
        }
    }

    @Test
    void anIndexThatItsFileDidNotTakeFitsAgainWhenItDoes() {
        cache.over(file);
        file.refuses = true;
        addPages(cache, 600);
        assertThat(cache.isFull()).isTrue();

        file.refuses = false;

        assertThat(cache.isFull()).as("nothing else was asked for meanwhile").isFalse();
        assertThat(cache.bytes()).isLessThanOrEqualTo(BYTES);
    }

    @Test
    void aFileThatRefusesIsNotTriedWithEveryChange() {
        cache.over(file);
        file.refuses = true;

        addPages(cache, 2_000);

        assertThat(file.writes).isBetween(2, 400);
        assertThat(cache.coldPages()).isZero();
    }

    // B14, 0020
    @Test
    void spaceThatIsKeptBackIsAskedForOnlyWhenMemoryIsShort() {
        cache.over(file);
        file.refuses = true;
        file.takesUrgent = true;

        addPages(cache, 330);
        assertThat(cache.coldPages()).as("a little more than fits").isZero();
        addPages(cache, 2_000);

        assertThat(cache.bytes()).isBetween((long) BYTES, BYTES + BYTES / 6L);
        assertThat(cache.isFull()).isFalse();
        assertThat(cache.coldPages()).isGreaterThan(1_000);
    }

    @Test
    void muchMoreThanFitsGoesAtOnceWhenTheFileTakesIt() {
        PageCache small = PageCache.bounded(2_000);
        addPages(small, 400_000);
        small.over(file);

        small.trim();

        assertThat(small.coldPages()).isGreaterThan(399_000);
    }

    @Test
    void whoeverDoesNotInsistIsToldWhenTheBookieStopsAndWhoeverDoesIsLeftAlone() {
        DelayedPages pages = new DelayedPages();
        cache.over(pages.over(new Random(1)));
        addPages(cache, 600);
        pages.runAll();
        RunPage cold = made.stream().filter(RunPage::isCold).findFirst().orElseThrow();
        StringBuilder told = new StringBuilder();
        cache.read(List.of(cold), true, there -> told.append(" insisting ").append(there));
        cache.read(List.of(cold), false, there -> told.append(" waiting ").append(there));

        cache.stop();
        cache.read(List.of(cold), false, there -> told.append(" late ").append(there));

        assertThat(told.toString()).isEqualTo(" waiting false late false");
        pages.runAll();
        assertThat(told.toString()).isEqualTo(" waiting false late false insisting true");
    }
}
