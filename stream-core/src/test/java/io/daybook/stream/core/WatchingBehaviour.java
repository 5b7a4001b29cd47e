// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.stream.Namespace.Change;
import io.daybook.stream.Namespace.Change.Kind;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a watch over a namespace tells (D-128). */
abstract class WatchingBehaviour extends StreamSuite {
    private static final Duration OFTEN = Duration.ofMillis(20);

    private HeardChanges watch(String prefix) {
        HeardChanges heard = new HeardChanges();
        namespace().watch(prefix, OFTEN).subscribe(heard);
        return heard;
    }

    private void make(StreamsNamespace namespace, String stream) {
        await(namespace.openStream(stream, OpenMode.CREATE_NEW));
    }

    private Change next(HeardChanges heard) {
        CompletableFuture<Change> next = heard.next();
        heard.request(1);
        return await(next);
    }

    @Test
    void streamsThatAreThereAndThatComeAndGoAreTold() {
        String prefix = name() + "/";
        StreamsNamespace other = stage().namespace("another program");
        make(other, prefix + "b");
        make(other, prefix + "a");
        make(other, name());

        HeardChanges heard = watch(prefix);

        // D-128
        assertThat(next(heard)).isEqualTo(new Change(Kind.PRESENT, prefix + "a"));
        assertThat(next(heard)).isEqualTo(new Change(Kind.PRESENT, prefix + "b"));
        make(other, prefix + "aa");
        assertThat(next(heard)).isEqualTo(new Change(Kind.CREATED, prefix + "aa"));
        await(other.delete(prefix + "a"));
        assertThat(next(heard)).isEqualTo(new Change(Kind.DELETED, prefix + "a"));
        make(other, prefix + "a");
        assertThat(next(heard)).isEqualTo(new Change(Kind.CREATED, prefix + "a"));
        heard.cancel();
    }

    @Test
    void nothingIsToldBeforeItIsAskedFor() {
        String prefix = name() + "/";
        make(namespace(), prefix + "a");
        HeardChanges heard = watch(prefix);
        await(namespace().exists(prefix + "a"));

        make(namespace(), prefix + "b");
        assertThat(heard.all()).isEmpty();

        assertThat(next(heard).name()).isEqualTo(prefix + "a");
        assertThat(next(heard)).isEqualTo(new Change(Kind.CREATED, prefix + "b"));
    }

    @Test
    void watchEndsWithItsNamespace() {
        StreamsNamespace closing = stage().namespace("closing");
        HeardChanges heard = new HeardChanges();
        closing.watch(name(), OFTEN).subscribe(heard);
        heard.request(1);

        await(closing.shutdown());

        failureOf(heard.end(), StreamException.HandleClosed.class);
        HeardChanges late = new HeardChanges();
        closing.watch(name(), OFTEN).subscribe(late);
        failureOf(late.end(), StreamException.HandleClosed.class);
    }

    @Test
    void impossibleIntervalsAndRequestsAreRefused() {
        for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(9), Duration.ofDays(2))) {
            assertThatThrownBy(() -> namespace().watch("", bad)).isInstanceOf(IllegalArgumentException.class);
        }
        HeardChanges heard = watch(name());

        heard.request(0);

        assertThatThrownBy(() -> await(heard.end())).hasRootCauseInstanceOf(IllegalArgumentException.class);
    }
}
