// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What stands where in one stream: lost-write, lost-indefinite, aborted-read, phantom, duplicate, inconsistent-position, dirty-read, torn-batch, and
 * of txid, truncate-safe and delete-safe what concerns the whole.
 */
final class StreamContentChecks {
    private final StreamHistory stream;
    private final Map<String, Call> appendByValue = new TreeMap<>();
    private final Map<DLSN, String> valueAt = new TreeMap<>();
    private final Map<String, DLSN> positionOf = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();

    StreamContentChecks(StreamHistory stream) {
        this.stream = stream;
    }

    List<Violation> run() {
        for (Call append : stream.appends()) {
            for (Seen record : ((Appends) append.detail()).records()) {
                appendByValue.put(record.value().toString(), append);
                if (append.result() == Result.OK) {
                    stands(record);
                }
            }
        }
        for (Call poll : stream.polls()) {
            ((Poll) poll.detail()).records().forEach(record -> seen(record, poll.process()));
        }
        for (FinalStream log : stream.finals()) {
            log.records().forEach(record -> seen(record, "the final read"));
            checkTruncation(log);
        }
        checkTransactionIds();
        stream.finalStream().ifPresent(this::compare);
        return violations;
    }

    private void seen(Seen record, String by) {
        @Nullable Call append = appendByValue.get(record.value().toString());
        if (append == null) {
            report("phantom", at(record), by + " saw " + record.value() + ", which was never appended");
        } else if (append.result() == Result.FAILED) {
            report("aborted-read", at(record), by + " saw " + record.value() + ", whose append failed");
        } else if (appendedAs(append, record.value()).transactionId() != record.transactionId()) {
            report("txid", at(record), by + " saw transaction id " + record.transactionId() + " on " + record.value());
        }
        stands(record);
    }

    private static Seen appendedAs(Call append, Value value) {
        return ((Appends) append.detail())
                .records().stream()
                        .filter(record -> record.value().equals(value))
                        .findFirst()
                        .orElseThrow();
    }

    private void stands(Seen record) {
        String text = record.value().toString();
        DLSN position = at(record);
        String other = valueAt.putIfAbsent(position, text);
        if (other != null && !other.equals(text)) {
            report("inconsistent-position", position, "is " + other + " and " + text);
        }
        DLSN elsewhere = positionOf.putIfAbsent(text, position);
        if (elsewhere != null && !elsewhere.equals(position)) {
            report("duplicate", position, text + " stands also at " + elsewhere);
        }
    }

    /** S8, S9: in the order of positions ids never fall, and rise in a strict stream. */
    private void checkTransactionIds() {
        @Nullable Seen before = null;
        for (Seen record : stream.known().values()) {
            if (before != null) {
                int order = Long.compare(before.transactionId(), record.transactionId());
                boolean isWrong = order > 0 || (order == 0 && stream.isStrict());
                if (isWrong && !stream.mayBePartedFrom(at(before), at(record))) {
                    report(
                            "txid",
                            at(record),
                            "has transaction id " + record.transactionId() + " after " + before.transactionId());
                }
            }
            before = record;
        }
    }

    private void checkTruncation(FinalStream log) {
        DLSN least = stream.truncatedAtLeast(Long.MAX_VALUE);
        DLSN most = stream.goneAtMost(Long.MAX_VALUE);
        DLSN deleted = stream.deletedAtLeast(Long.MAX_VALUE);
        if (log.truncatedTo().compareTo(least) < 0) {
            report("truncate-safe", log.truncatedTo(), "is where the stream begins, truncated to " + least);
        }
        DLSN firstToKeep = stream.known().ceilingKey(most);
        if (firstToKeep != null && firstToKeep.compareTo(log.truncatedTo()) < 0) {
            report("truncate-safe", firstToKeep, "is gone, and nobody asked for more than " + most);
        }
        for (Seen record : log.records()) {
            if (at(record).compareTo(log.truncatedTo()) < 0) {
                report("truncate-safe", at(record), "was read although truncated to " + log.truncatedTo());
            }
            if (at(record).compareTo(deleted) <= 0) {
                report("delete-safe", at(record), "was read although all up to " + deleted + " was deleted");
            }
        }
    }

    /** What somebody was told or saw is in the final log, unless it was truncated. */
    private void compare(FinalStream log) {
        Map<DLSN, Value> kept = new TreeMap<>();
        log.records().forEach(record -> kept.put(at(record), record.value()));
        for (Call append : stream.appends()) {
            List<Seen> records = ((Appends) append.detail()).records();
            records.stream()
                    .filter(record -> append.result() == Result.OK && isLost(record, kept, log))
                    .forEach(record ->
                            report("lost-write", at(record), record.value() + " was acknowledged and is not there"));
            checkBatch(records, log);
        }
        for (Call poll : stream.polls()) {
            for (Seen record : ((Poll) poll.detail()).records()) {
                if (isLost(record, kept, log)) {
                    gone(record, poll.process());
                }
            }
        }
    }

    private void gone(Seen record, String by) {
        report("dirty-read", at(record), by + " saw " + record.value() + ", which is not there in the end");
        @Nullable Call append = appendByValue.get(record.value().toString());
        if (append != null && append.result() == Result.UNKNOWN) {
            report("lost-indefinite", at(record), record.value() + " had an unknown outcome, was seen and is gone");
        }
    }

    private static boolean isLost(Seen record, Map<DLSN, Value> kept, FinalStream log) {
        DLSN position = at(record);
        return position.compareTo(log.truncatedTo()) >= 0 && !record.value().equals(kept.get(position));
    }

    /** Records appended as one are all there, or none is, unless the stream begins between them. */
    private void checkBatch(List<Seen> records, FinalStream log) {
        List<DLSN> places = new ArrayList<>();
        for (Seen record : records) {
            DLSN place = positionOf.get(record.value().toString());
            if (place != null) {
                places.add(place);
            }
        }
        boolean cut = !places.isEmpty()
                && !log.truncatedTo().equals(DLSN.BEFORE_ALL)
                && (log.records().isEmpty()
                        || places.get(0).compareTo(at(log.records().get(0))) <= 0);
        if (!places.isEmpty() && places.size() < records.size() && !cut) {
            report("torn-batch", places.get(0), "has " + places.size() + " of the " + records.size() + " " + records);
        }
    }

    private static DLSN at(Seen record) {
        return record.position() == null ? DLSN.BEFORE_ALL : record.position();
    }

    private void report(String check, DLSN position, String text) {
        violations.add(stream.violation(check, position, text));
    }
}
