// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Disk;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that is dead does nothing more, as a killed process. */
final class MortalHostTest {
    @TempDir
    Path directory;

    private final CompletableFuture<String> halted = new CompletableFuture<>();
    private final CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    private final SystemHost system = SystemHost.embedded(
            SettingsLoader.defaults(SystemConfig.class),
            (loop, failure) -> thrown.complete(failure),
            (code, reason) -> {});
    private final MortalHost host = new MortalHost(system, (code, reason) -> halted.complete(code + " " + reason));

    @AfterEach
    void giveBack() {
        host.die();
        system.close();
    }

    @Test
    void nothingReachesTheDiskOfTheDead() {
        Disk disk = host.disk(directory.toString());
        DiskFile file = disk.open("file", OpenMode.CREATE_NEW);
        file.write(0, ByteBuffer.wrap(new byte[] {1}));
        disk.lock("");

        host.die();

        assertThatThrownBy(() -> file.write(1, ByteBuffer.wrap(new byte[] {2})))
                .isInstanceOf(MortalHost.HostDied.class);
        assertThatThrownBy(() -> disk.delete("file")).isInstanceOf(MortalHost.HostDied.class);
        assertThatThrownBy(() -> host.disk(directory.toString())).isInstanceOf(MortalHost.HostDied.class);
        Disk next = system.disk(directory.toString());
        next.lock("").close();
        try (DiskFile kept = next.open("file", OpenMode.READ_ONLY)) {
            assertThat(kept.size()).isEqualTo(1);
        }
    }

    @Test
    void aLoopOfTheDeadRunsNothingMore() throws Exception {
        EventLoop loop = host.newLoop("mortal", LoopKind.NETWORK);
        CompletableFuture<Void> first = new CompletableFuture<>();
        CompletableFuture<Void> second = new CompletableFuture<>();
        loop.execute(() -> first.complete(null));
        first.get(60, TimeUnit.SECONDS);

        host.die();
        loop.execute(() -> second.complete(null));
        system.close();

        assertThat(second).isNotDone();
    }

    @Test
    void haltingUnwindsTheTaskAndTellsOnce() throws Exception {
        EventLoop loop = host.newLoop("mortal", LoopKind.STORAGE);
        CompletableFuture<Void> after = new CompletableFuture<>();

        loop.execute(() -> {
            host.halt(20, "the disk is gone");
            after.complete(null);
        });
        loop.execute(() -> after.complete(null));

        assertThat(halted.get(60, TimeUnit.SECONDS)).isEqualTo("20 the disk is gone");
        assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(MortalHost.HostDied.class);
        host.die();
        system.close();
        assertThat(after).isNotDone();
    }
}
