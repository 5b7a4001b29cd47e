// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.local;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Something to write when nothing was given: the lines of a made-up account book. */
final class SampleText {
    static final int LINES = 100_000;

    private SampleText() {}

    static InputStream open() {
        StringBuilder text = new StringBuilder(LINES * 64);
        for (int i = 1; i <= LINES; i++) {
            text.append("entry ").append(i);
            text.append(" debit account-").append(i * 7919L % 1000);
            text.append(" credit account-").append(i * 104_729L % 1000);
            text.append(" amount ").append(i * 15_485_863L % 100_000).append('\n');
        }
        return new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
}
