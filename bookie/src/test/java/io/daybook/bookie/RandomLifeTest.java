// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of one bookie with crashes in between, compared with a model: what was acknowledged is there with its bytes, what was never sent is
 * absent, what was fenced stays fenced, what was confirmed stays confirmed (B1 to B8). A failure is replayed by its seed.
 */
final class RandomLifeTest {
    private static final int LEDGERS = 5;
    private static final int STEPS = 120;

    private SimulatedBookie one = new SimulatedBookie(0);
    private @Nullable TestClient connected;
    private final TreeMap<String, String> acknowledged = new TreeMap<>();
    private final TreeMap<String, List<String>> sent = new TreeMap<>();
    private final TreeSet<Long> fenced = new TreeSet<>();
    private final TreeMap<Long, Long> confirmed = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whatWasPromisedIsKept(long seed) {
        one = new SimulatedBookie(seed);
        RandomSource random = one.world.random("life");
        one.journal().quality(DiskQuality.SOLID_STATE.withBlock(512));
        one.data().quality(DiskQuality.SOLID_STATE.withBlock(512));
        one.config = one.config.withSlabs((8 * 1024) << random.below(3), 2 + random.below(3));
        one.format().start();
        connect();
        for (int step = 0; step < STEPS; step++) {
            act(random);
        }
        restart(random);
        checkAll();
    }

    private void connect() {
        connected = one.client(LinkKind.OTHER);
    }

    private TestClient client() {
        return Objects.requireNonNull(connected);
    }

    private void act(RandomSource random) {
        long ledgerId = random.below(LEDGERS);
        switch (random.below(24)) {
            case 0 -> restart(random);
            case 1 -> fence(ledgerId);
            case 2 -> publish(ledgerId, random.below(40));
            case 3 -> checkAll();
            default -> add(ledgerId, random);
        }
    }

    private void add(long ledgerId, RandomSource random) {
        long entryId = random.below(40);
        String key = ledgerId + ":" + entryId;
        String payload = key + " variant " + random.below(2) + "-".repeat(random.below(900));
        boolean recovery = random.below(3) == 0;
        sent.computeIfAbsent(key, none -> new ArrayList<>()).add(payload);
        StatusCode status = recovery
                ? client().addRecoveredAndWait(ledgerId, entryId, payload)
                : client().addAndWait(ledgerId, entryId, payload);
        if (fenced.contains(ledgerId) && !recovery) {
            assertThat(status).isEqualTo(StatusCode.FENCED);
            return;
        }
        String held = acknowledged.get(key);
        if (held != null) {
            assertThat(status).as(key).isEqualTo(held.equals(payload) ? StatusCode.OK : StatusCode.CONFLICT);
        }
        if (status == StatusCode.OK) {
            acknowledged.put(key, payload);
            confirmed.merge(ledgerId, recovery ? -1 : entryId - 1, Math::max);
        }
    }

    private void fence(long ledgerId) {
        FenceAnswer answer = client().fenceAndWait(ledgerId);
        fenced.add(ledgerId);
        assertThat(answer.lastAddConfirmed()).isGreaterThanOrEqualTo(confirmed.getOrDefault(ledgerId, -1L));
    }

    private void publish(long ledgerId, long lastAddConfirmed) {
        StatusCode status = client().publishAndWait(ledgerId, lastAddConfirmed);
        assertThat(status).isEqualTo(fenced.contains(ledgerId) ? StatusCode.FENCED : StatusCode.OK);
        if (status == StatusCode.OK) {
            confirmed.merge(ledgerId, lastAddConfirmed, Math::max);
        }
    }

    private void restart(RandomSource random) {
        if (random.below(3) == 0) {
            one.close();
        } else {
            // Some adds are in flight: they may or may not be there afterwards.
            for (int i = 0; i < 5; i++) {
                long ledgerId = random.below(LEDGERS);
                long entryId = 40L + random.below(20);
                String key = ledgerId + ":" + entryId;
                String payload = key + " in flight " + random.below(1000);
                sent.computeIfAbsent(key, none -> new ArrayList<>()).add(payload);
                client().add(ledgerId, entryId, payload);
            }
            one.world.runFor(random.below((int) TimeUnit.MILLISECONDS.toNanos(3)));
            CrashMode[] modes = CrashMode.values();
            one.crash(modes[random.below(modes.length)]);
        }
        one.start();
        connect();
    }

    private void checkAll() {
        for (long ledgerId = 0; ledgerId < LEDGERS; ledgerId++) {
            for (long entryId = 0; entryId < 60; entryId++) {
                check(ledgerId, entryId);
            }
            long lastAddConfirmed =
                    client().readAndWait(ledgerId, 0, 1, 0).header().lastAddConfirmed();
            assertThat(lastAddConfirmed).isGreaterThanOrEqualTo(confirmed.getOrDefault(ledgerId, -1L));
        }
    }

    private void check(long ledgerId, long entryId) {
        String key = ledgerId + ":" + entryId;
        TestClient.Answered answer = client().readAndWait(ledgerId, entryId, 1, ReadRequest.FLAG_UNCONFIRMED);
        String held = acknowledged.get(key);
        if (held != null) {
            assertThat(answer.payloads())
                    .as("acknowledged %s, status %s", key, answer.header().status())
                    .containsExactly(held);
        } else if (answer.entries().isEmpty()) {
            assertThat(answer.header().status().isProofOfAbsence()).as(key).isTrue();
        } else {
            assertThat(sent.getOrDefault(key, List.of())).as(key).containsAll(answer.payloads());
            // Once readable, always readable.
            acknowledged.put(key, answer.payloads().get(0));
        }
    }
}
