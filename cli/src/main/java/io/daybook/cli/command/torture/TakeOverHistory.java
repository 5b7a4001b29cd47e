// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the owners of one stream were told, and whether the stream agrees. <i>Threading:</i> any thread. */
final class TakeOverHistory {
    private final Map<String, DLSN> acknowledged = new HashMap<>();
    private final Set<String> failed = new HashSet<>();
    /** Where the stream ended when each owner opened its writer, in the order of the openings. */
    private final Map<String, Integer> order = new HashMap<>();

    private final List<DLSN> endsAtOpening = new ArrayList<>();

    /** The payload of a record. */
    static String value(String session, long number) {
        return session + "/" + number;
    }

    synchronized void opened(String session, DLSN end) {
        order.put(session, endsAtOpening.size());
        endsAtOpening.add(end);
    }

    synchronized void acknowledged(String session, long number, DLSN position) {
        acknowledged.put(value(session, number), position);
    }

    synchronized void failed(String session, long number) {
        failed.add(value(session, number));
    }

    synchronized int acknowledgedCount() {
        return acknowledged.size();
    }

    /** What is wrong, a line each: {@code log} is the whole stream, {@code tailed} what a reader saw that followed it all the time. */
    synchronized List<String> violations(List<PositionedRecord> log, List<PositionedRecord> tailed) {
        List<String> wrong = new ArrayList<>();
        Map<String, DLSN> kept = new HashMap<>();
        Map<String, Long> lastOfSession = new HashMap<>();
        DLSN before = DLSN.BEFORE_ALL;
        for (PositionedRecord record : log) {
            String value = record.payloadText();
            DLSN position = record.position();
            expect(position.compareTo(before) > 0, wrong, "S1: " + position + " follows " + before);
            expect(kept.put(value, position) == null, wrong, "duplicate: " + value + " at " + position);
            String session = value.substring(0, value.indexOf('/'));
            long number = Long.parseLong(value.substring(value.indexOf('/') + 1));
            Long previous = lastOfSession.put(session, number);
            expect(previous == null || previous < number, wrong, "S4: " + value + " follows number " + previous);
            expect(
                    isBeforeLaterOwners(session, position),
                    wrong,
                    "S6: " + value + " at " + position + " is behind a take-over");
            before = position;
        }
        acknowledged.forEach((value, position) -> expect(
                position.equals(kept.get(value)),
                wrong,
                "S3: " + value + " was acknowledged at " + position + " and is at " + kept.get(value)));
        failed.forEach(value -> expect(!kept.containsKey(value), wrong, "aborted-read: " + value + " had failed"));
        expect(
                same(log, tailed),
                wrong,
                "S10: a reader that followed saw " + tailed.size() + " other records than the " + log.size());
        return wrong;
    }

    private boolean isBeforeLaterOwners(String session, DLSN position) {
        Integer index = order.get(session);
        if (index == null || index + 1 == endsAtOpening.size()) {
            return true;
        }
        return position.compareTo(endsAtOpening.get(index + 1)) <= 0;
    }

    private static boolean same(List<PositionedRecord> log, List<PositionedRecord> tailed) {
        if (log.size() != tailed.size()) {
            return false;
        }
        for (int i = 0; i < log.size(); i++) {
            if (!log.get(i).position().equals(tailed.get(i).position())
                    || !log.get(i).payload().equals(tailed.get(i).payload())) {
                return false;
            }
        }
        return true;
    }

    private static void expect(boolean holds, List<String> wrong, String violation) {
        if (!holds) {
            wrong.add(violation);
        }
    }
}
