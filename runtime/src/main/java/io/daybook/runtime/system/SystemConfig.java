// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import io.daybook.runtime.settings.Setting;
import io.daybook.runtime.settings.SettingsGroup;

/** How a process uses its machine. */
@SettingsGroup("system")
public record SystemConfig(
        @Setting(
                doc = "Use the native epoll library for sockets where it loads; set to false when it misbehaves on an"
                        + " unusual kernel.",
                defaultValue = "true")
        boolean nativeTransport,

        @Setting(
                doc = "Write journals past the page cache where the file system can; set to false for file systems"
                        + " whose direct writes are broken or slow.",
                defaultValue = "true")
        boolean directWrites) {}
