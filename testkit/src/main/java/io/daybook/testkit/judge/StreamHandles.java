// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.Delete;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Last;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Truncate;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * On which of the streams that had its name each call was. A position tells it, since numbers of a name never repeat; a writer or reader is of one stream, whose records any of its calls may
 * tell; of one without any record the time of its opening tells it, as far as it does.
 */
final class StreamHandles {
    private final StreamStays stays;
    private final Map<String, String> streamOfHandle = new HashMap<>();
    private final Map<String, String> streamOfValue = new HashMap<>();
    private final Map<String, Call> openings = new HashMap<>();

    /** Of a history. */
    StreamHandles(StreamStays stays, List<Call> calls) {
        this.stays = stays;
        List<Call> known = calls.stream()
                .filter(call -> call.detail() instanceof StreamDetail detail && stays.isKnown(detail.stream()))
                .toList();
        known.forEach(this::learnPositions);
        known.forEach(this::learnValues);
    }

    private void learnPositions(Call call) {
        String name = nameOf(call);
        boolean isOfHandle = call.detail() instanceof Appends || call.detail() instanceof Poll;
        for (Seen record : call.result() == Result.OK ? records(call.detail()) : List.<Seen>of()) {
            if (record.position() != null) {
                String stream = stays.of(name, record.position()).stream();
                streamOfValue.putIfAbsent(record.value().toString(), stream);
                if (isOfHandle) {
                    streamOfHandle.putIfAbsent(handle(call), stream);
                }
            }
        }
        openings.putIfAbsent(handle(call), call);
    }

    /** What nobody was told to stand somewhere may have been read. */
    private void learnValues(Call call) {
        if (call.detail() instanceof Appends appends) {
            for (Seen record : appends.records()) {
                String stream = streamOfValue.get(record.value().toString());
                if (stream != null) {
                    streamOfHandle.putIfAbsent(handle(call), stream);
                }
            }
        }
    }

    private static List<Seen> records(Call.Detail detail) {
        if (detail instanceof Appends appends) {
            return appends.records();
        }
        if (detail instanceof Poll poll) {
            return poll.records();
        }
        return detail instanceof FinalStream log ? log.records() : List.of();
    }

    private static String nameOf(Call call) {
        return ((StreamDetail) call.detail()).stream();
    }

    private static String handle(Call call) {
        return call.process() + ' ' + nameOf(call);
    }

    /** On which it may have been: none where no stream had the name, several where nothing tells them apart. */
    Set<String> streams(Call call) {
        if (call.detail() instanceof Delete) {
            return stays.deletedBy(call).map(Collections::singleton).orElse(Collections.emptySet());
        }
        Optional<DLSN> told = position(call.detail());
        if (told.isPresent()) {
            return Collections.singleton(stays.of(nameOf(call), told.get()).stream());
        }
        if (isOfNoHandle(call.detail())) {
            return stays.streams(nameOf(call), call.invokedNanos(), call.endedNanos());
        }
        String stream = streamOfHandle.get(handle(call));
        if (stream != null) {
            return Collections.singleton(stream);
        }
        Call opening = openings.getOrDefault(handle(call), call);
        return start(opening)
                .map(start -> Collections.singleton(stays.of(nameOf(call), start).stream()))
                .orElseGet(() -> stays.streams(nameOf(call), opening.invokedNanos(), opening.endedNanos()));
    }

    private static boolean isOfNoHandle(Call.Detail detail) {
        return detail instanceof Created
                || detail instanceof Last
                || detail instanceof Truncate
                || detail instanceof FinalStream;
    }

    /** The position that tells which stream a call is about that is made without a handle. */
    private static Optional<DLSN> position(Call.Detail detail) {
        DLSN position = DLSN.BEFORE_ALL;
        if (detail instanceof Last last) {
            position = last.position();
        } else if (detail instanceof Truncate truncate) {
            position = truncate.position();
        } else if (detail instanceof FinalStream log && !log.records().isEmpty()) {
            position = orBeforeAll(log.records().get(0).position());
        }
        return position.equals(DLSN.BEFORE_ALL) ? Optional.empty() : Optional.of(position);
    }

    /** Where a reader has begun that was told so. */
    private static Optional<DLSN> start(Call opening) {
        boolean hasBegun =
                opening.result() == Result.OK && opening.detail() instanceof Poll poll && poll.found() != Found.FOREIGN;
        DLSN start = hasBegun ? at(((Poll) opening.detail()).start()) : DLSN.BEFORE_ALL;
        return start.equals(DLSN.BEFORE_ALL) ? Optional.empty() : Optional.of(start);
    }

    /** The position at which a reader begins; {@link DLSN#BEFORE_ALL} for none. */
    static DLSN at(@Nullable StartPosition start) {
        if (start instanceof StartPosition.At at) {
            return at.position();
        }
        return start instanceof StartPosition.After after ? after.position() : DLSN.BEFORE_ALL;
    }

    /** A position that may be unknown; {@link DLSN#BEFORE_ALL} then. */
    static DLSN orBeforeAll(@Nullable DLSN position) {
        return position == null ? DLSN.BEFORE_ALL : position;
    }
}
