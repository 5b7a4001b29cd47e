// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/** The network refused something; the message names the endpoint and the reason. */
public final class NetworkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a one-line message that names the endpoint. */
    public NetworkException(String message, Throwable cause) {
        super(message, cause);
    }
}
