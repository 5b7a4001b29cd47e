// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

/** When requests are made. */
public sealed interface Pace {
    /** A word for the report, such as {@code 1000/s}. */
    String text();

    /** Open loop: so many a second on a fixed schedule, whatever becomes of them. Latency counts from the due time. */
    record Rate(int perSecond) implements Pace {
        /** Refuses less than one a second with {@link IllegalArgumentException}. */
        public Rate {
            if (perSecond < 1) {
                throw new IllegalArgumentException("a rate of " + perSecond + "/s is not at least 1");
            }
        }

        @Override
        public String text() {
            return "open loop, " + perSecond + "/s";
        }
    }

    /** Closed loop: so many under way at any time; the end of one starts the next. */
    record Window(int outstanding) implements Pace {
        /** Refuses an empty window with {@link IllegalArgumentException}. */
        public Window {
            if (outstanding < 1) {
                throw new IllegalArgumentException("a window of " + outstanding + " is not at least 1");
            }
        }

        @Override
        public String text() {
            return "closed loop, window " + outstanding;
        }
    }
}
