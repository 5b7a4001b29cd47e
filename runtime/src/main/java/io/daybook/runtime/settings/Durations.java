// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250us}, {@code 5ms}, {@code 2s}, {@code 1m}, {@code 12h}, {@code 7d}, or {@code PT1M30S}. */
final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}) *(ns|us|ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = units();

    private Durations() {}

    /** Largest first. */
    private static Map<String, Duration> units() {
        Map<String, Duration> units = new LinkedHashMap<>();
        units.put("d", Duration.ofDays(1));
        units.put("h", Duration.ofHours(1));
        units.put("m", Duration.ofMinutes(1));
        units.put("s", Duration.ofSeconds(1));
        units.put("ms", Duration.ofMillis(1));
        units.put("us", Duration.ofNanos(1000));
        units.put("ns", Duration.ofNanos(1));
        return units;
    }

    static Duration parse(String text) {
        String stripped = text.strip();
        if (stripped.equals("0")) {
            return Duration.ZERO;
        }
        try {
            Duration duration = stripped.startsWith("P") ? Duration.parse(stripped) : parseUnit(stripped);
            // Machines count in nanoseconds, of which a long holds 292 years.
            if (duration.toNanos() >= 0) {
                return duration;
            }
        } catch (DateTimeParseException | ArithmeticException malformed) {
            throw new IllegalArgumentException(refusal(text), malformed);
        }
        throw new IllegalArgumentException(refusal(text));
    }

    private static Duration parseUnit(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(refusal(text));
        }
        return UNITS.getOrDefault(matcher.group(2), Duration.ZERO).multipliedBy(Long.parseLong(matcher.group(1)));
    }

    private static String refusal(String text) {
        return "'" + text + "' is not a duration: write a whole number with ns, us, ms, s, m, h or d";
    }

    /** With the largest unit that divides it. */
    static String format(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0) {
            return "0";
        }
        for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
            long unitNanos = unit.getValue().toNanos();
            if (nanos % unitNanos == 0) {
                return nanos / unitNanos + unit.getKey();
            }
        }
        return nanos + "ns";
    }
}
