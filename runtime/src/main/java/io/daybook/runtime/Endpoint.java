// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/** A host name or address with a TCP port. In a listen call port 0 asks for any free port. */
public record Endpoint(String host, int port) {
    /** Refuses an empty host and a port outside 0 to 65535 with {@link IllegalArgumentException}. */
    public Endpoint {
        if (host.isBlank()) {
            throw new IllegalArgumentException("an endpoint needs a host");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " of " + host + " is not between 0 and 65535");
        }
    }

    /** Reads {@code host:port}; throws {@link IllegalArgumentException} that names the text when it is not of that form. */
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not of the form host:port");
        }
        return new Endpoint(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
