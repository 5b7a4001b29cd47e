// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Value;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A history of streams, written call by call, one after the other. */
class StreamTale {
    static final String NAME = "s";
    static final String OTHER = "t";

    static final Value ONE = value("one");
    static final Value TWO = value("two");
    static final Value THREE = value("three");

    final History history = new History();
    long nanos;

    static Value value(String session) {
        ByteBuf payload = Value.payload(session, 0, 20);
        try {
            return Value.of(payload);
        } finally {
            payload.release();
        }
    }

    static DLSN segment(long number) {
        return new DLSN(number, 0, 0);
    }

    static Seen at(long segment, Value value, long transactionId) {
        return new Seen(value, transactionId, segment(segment));
    }

    void call(String process, Result result, StreamDetail detail) {
        nanos += 10;
        history.add(new Call(process, nanos, nanos + 5, result, -1, detail));
    }

    void appended(String name, Seen record) {
        call(record.value().session(), Result.OK, new Appends(name, List.of(record)));
    }

    void polled(String process, String name, @Nullable StartPosition start, Found found, Seen... records) {
        call(process, Result.OK, new Poll(name, start, List.of(records), found));
    }

    /** The checks that find something. */
    Set<String> found() {
        Set<String> checks = new TreeSet<>();
        HistoryChecker.check(history).forEach(violation -> checks.add(violation.check()));
        return checks;
    }
}
