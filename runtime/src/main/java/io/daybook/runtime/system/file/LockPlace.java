// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What tells a lock file from every other one of a running machine: the boot of its kernel, the device and the inode. A copy of the file, also one on
 * another machine with the same disk image, has another place; the inode of a file that somebody holds open is not given to another one.
 */
final class LockPlace {
    private static final Logger LOG = LoggerFactory.getLogger(LockPlace.class);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private LockPlace() {}

    /** The place of a lock file that this process holds; empty where the system does not tell. */
    static String of(Path lockFile) {
        try {
            String boot = Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
            Object device = Files.getAttribute(lockFile, "unix:dev");
            Object inode = Files.getAttribute(lockFile, "unix:ino");
            return boot.isEmpty() ? "" : "boot=" + boot + " device=" + device + " inode=" + inode;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException untold) {
            LOG.debug("path={} its place cannot be told", lockFile, untold);
            return "";
        }
    }
}
