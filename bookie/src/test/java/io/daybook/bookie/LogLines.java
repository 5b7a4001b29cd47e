// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a bookie says from now on to whoever must act: its lines of the levels WARN and ERROR. */
public final class LogLines implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.daybook.bookie");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    /** Listens until it is closed. */
    public LogLines() {
        appender.start();
        logger.addAppender(appender);
    }

    /** Level and text of each. */
    public List<String> all() {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    /** One line has all of these in it. */
    public void assertSaid(String what, String... parts) {
        assertThat(all()).as(what).anySatisfy(line -> assertThat(line).contains(parts));
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
