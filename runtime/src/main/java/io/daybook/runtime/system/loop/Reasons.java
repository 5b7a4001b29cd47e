// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Failures of sockets as one line for people: what operating system and libraries say differs, and often names system calls. */
final class Reasons {
    private static final Map<String, String> KNOWN = known();

    private Reasons() {}

    private static Map<String, String> known() {
        Map<String, String> known = new LinkedHashMap<>();
        known.put("address already in use", "address already in use");
        known.put("assign requested address", "not an address of this machine");
        known.put("connection refused", "connection refused");
        known.put("connection reset", "connection reset by peer");
        known.put("broken pipe", "connection reset by peer");
        known.put("network is unreachable", "network is unreachable");
        known.put("no route to host", "no route to host");
        known.put("permission denied", "permission denied");
        known.put("too many open files", "too many open files: raise the limit of the process (ulimit -n)");
        return known;
    }

    static String of(Throwable failure) {
        if (failure instanceof UnknownHostException) {
            return "unknown host";
        }
        if (failure instanceof NoRouteToHostException) {
            return "no route to host";
        }
        if (failure instanceof ClosedChannelException) {
            return "closed";
        }
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        String lower = message.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, String> reason : KNOWN.entrySet()) {
            if (lower.contains(reason.getKey())) {
                return reason.getValue();
            }
        }
        String line = message.lines().findFirst().orElse(message);
        return failure instanceof IOException ? line : failure.getClass().getSimpleName() + ": " + line;
    }
}
