// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** S-52: a rotten disk is told of in a few lines, whatever is read from it, and to whoever counts in full. */
final class DamageReportsTest {
    private static final BookieId ROTTEN = new BookieId(0xda3a6e, 1);
    private static final BookieId OTHER = new BookieId(0xda3a6e, 2);
    private static final int READS_OF_SECOND = 100;

    private final Logger logger = (Logger) LoggerFactory.getLogger(DamageReports.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SimulatedWorld world = new SimulatedWorld(1);
    private final EventLoop loop = world.machine("client").start().newLoop("client", Host.LoopKind.NETWORK);
    private final AtomicInteger told = new AtomicInteger();
    private final DamageReports reports = new DamageReports(loop, Faults.NONE, new Listeners(loop));

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        reports.addListener((ledgerId, entryId, bookie) -> told.incrementAndGet());
    }

    @AfterEach
    void leave() {
        logger.detachAppender(lines);
    }

    /** Of this test: others may log at the same time. */
    private List<String> lines() {
        return lines.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(ROTTEN.toString()) || line.contains(OTHER.toString()))
                .toList();
    }

    private void readForSeconds(int seconds) {
        for (int i = 0; i < seconds * READS_OF_SECOND; i++) {
            long entryId = i;
            loop.execute(() -> reports.damaged(7, entryId, ROTTEN));
            world.runFor(TimeUnit.SECONDS.toNanos(1) / READS_OF_SECOND);
        }
    }

    @Test
    void repeatsOfABookieAreLoggedEveryTenSecondsAtMost() {
        readForSeconds(60);

        assertThat(told).hasValue(60 * READS_OF_SECOND);
        assertThat(lines()).hasSizeBetween(5, 6);
    }

    @Test
    void anotherBookieIsLoggedAtOnce() {
        readForSeconds(1);
        loop.execute(() -> reports.damaged(8, 0, OTHER));
        world.runFor(TimeUnit.SECONDS.toNanos(1));

        assertThat(lines())
                .satisfiesExactly(
                        first -> assertThat(first).contains(ROTTEN.toString()),
                        second -> assertThat(second).contains(OTHER.toString(), "ledger=8"));
    }
}
