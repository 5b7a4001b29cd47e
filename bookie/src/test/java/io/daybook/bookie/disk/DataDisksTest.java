// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S-18: a data directory that tells nothing of its files keeps nobody from what stands in another. */
final class DataDisksTest {
    private final Disk sound = new SimulatedWorld(1).machine("bookie").start().disk("/data-b");
    private final Disk silent = silent(sound);
    private final DataDisks disks = new DataDisks(List.of(silent, sound, silent));

    private static Disk silent(Disk like) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("exists")) {
                        throw new DiskException(DiskException.Kind.IO, "nothing is told of " + arguments[0], null);
                    }
                    try {
                        return method.invoke(like, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @Test
    void whatStandsInAnotherDirectoryIsFound() {
        sound.open("log", Disk.OpenMode.CREATE_NEW).close();

        assertThat(disks.of("log")).isSameAs(sound);
        assertThat(disks.of("log", "index")).isSameAs(sound);
        assertThat(disks.exists("log")).isTrue();
    }

    // B6
    @Test
    void whatMayStandInADirectoryThatTellsNothingIsNotCalledAbsent() {
        assertThatThrownBy(() -> disks.of("log")).hasMessage("nothing is told of log");
        assertThatThrownBy(() -> disks.exists("log")).hasMessage("nothing is told of log");
        assertThatThrownBy(() -> disks.of("log", "index")).hasMessage("nothing is told of log");
    }
}
