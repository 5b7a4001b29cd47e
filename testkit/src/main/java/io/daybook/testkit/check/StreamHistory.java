// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

import io.daybook.stream.DLSN;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seal;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Truncate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The calls on one stream, by kind, each in the order of invocation, and every position that anybody was told of. */
final class StreamHistory {
    private final String name;
    private final List<Call> appends = new ArrayList<>();
    private final List<Call> polls = new ArrayList<>();
    private final List<Call> others = new ArrayList<>();
    private final List<FinalStream> finals = new ArrayList<>();
    private final TreeMap<DLSN, Seen> known = new TreeMap<>();
    private boolean strict;

    StreamHistory(String name) {
        this.name = name;
    }

    void add(Call call) {
        StreamDetail detail = (StreamDetail) call.detail();
        if (detail instanceof Appends of) {
            appends.add(call);
            if (call.result() == Result.OK) {
                of.records().forEach(this::know);
            }
        } else if (detail instanceof Created created) {
            strict |= created.strict();
        } else if (detail instanceof Truncate || detail instanceof Seal) {
            others.add(call);
        } else if (call.result() == Result.OK) {
            addAnswered(call, detail);
        }
    }

    private void addAnswered(Call call, StreamDetail detail) {
        if (detail instanceof Poll poll) {
            polls.add(call);
            poll.records().forEach(this::know);
        } else if (detail instanceof FinalStream log) {
            finals.add(log);
            log.records().forEach(this::know);
        } else {
            others.add(call);
        }
    }

    private void know(Seen seen) {
        if (seen.position() != null) {
            known.putIfAbsent(seen.position(), seen);
        }
    }

    boolean isStrict() {
        return strict;
    }

    List<Call> appends() {
        return appends;
    }

    /** Those that were answered. */
    List<Call> polls() {
        return polls;
    }

    /** Those of a kind that were answered; of truncations and seals all. */
    <T extends StreamDetail> List<Call> ofKind(Class<T> kind) {
        return others.stream().filter(call -> kind.isInstance(call.detail())).toList();
    }

    List<FinalStream> finals() {
        return finals;
    }

    /** The whole stream, when it was read. */
    Optional<FinalStream> finalStream() {
        return finals.stream().findFirst();
    }

    /** Every position that was acknowledged or seen, with what was told first. */
    NavigableMap<DLSN, Seen> known() {
        return known;
    }

    /** The greatest position that a truncation invoked before {@code nanos} may have cut off to. */
    DLSN truncatedAtMost(long nanos) {
        DLSN most = DLSN.BEFORE_ALL;
        for (Call call : ofKind(Truncate.class)) {
            DLSN to = ((Truncate) call.detail()).position();
            if (call.invokedNanos() <= nanos && call.result() != Result.FAILED && to.compareTo(most) > 0) {
                most = to;
            }
        }
        return most;
    }

    /** The position that a truncation acknowledged before {@code nanos} has cut off to. */
    DLSN truncatedAtLeast(long nanos) {
        DLSN least = DLSN.BEFORE_ALL;
        for (Call call : ofKind(Truncate.class)) {
            DLSN to = ((Truncate) call.detail()).position();
            if (call.result() == Result.OK && call.endedNanos() < nanos && to.compareTo(least) > 0) {
                least = to;
            }
        }
        return least;
    }

    /** Whether somebody had asked before {@code nanos} that the stream end, and was not told that it does not. */
    boolean mayBeSealed(long nanos) {
        return ofKind(Seal.class).stream()
                .anyMatch(seal -> seal.result() != Result.FAILED && seal.invokedNanos() <= nanos);
    }

    /** The longest time from the acknowledgement of a record to the first poll that returned it; 0 when no record was polled. */
    long worstStalenessNanos() {
        Map<DLSN, Long> firstSeen = new TreeMap<>();
        for (Call call : polls) {
            for (Seen seen : ((Poll) call.detail()).records()) {
                if (seen.position() != null) {
                    firstSeen.merge(seen.position(), call.endedNanos(), Math::min);
                }
            }
        }
        long worst = 0;
        for (Call call : appends) {
            for (Seen seen : ((Appends) call.detail()).records()) {
                Long at = seen.position() == null ? null : firstSeen.get(seen.position());
                if (at != null && call.result() == Result.OK) {
                    worst = Math.max(worst, at - call.endedNanos());
                }
            }
        }
        return worst;
    }

    Violation violation(String check, DLSN position, String text) {
        return new Violation(check, -1, -1, "stream=" + name + " position=" + position + ' ' + text);
    }
}
