// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far a long work is: a bar on the terminal of the messages; when they go elsewhere, a line a minute. */
public final class Progress implements AutoCloseable {
    private static final int WIDTH = 100;
    private static final long MEBIBYTE = 1024 * 1024;

    private final AutoCloseable bar;
    private final Advance advance;

    /** Moves the bar. */
    private interface Advance {
        void by(long bytes);
    }

    private Progress(AutoCloseable bar, Advance advance) {
        this.bar = bar;
        this.advance = advance;
    }

    /** Of {@code bytes} bytes (-1 when nobody knows) of {@code task}. */
    public static Progress ofBytes(Terminal terminal, String task, long bytes) {
        if (!terminal.messagesAreSeen()) {
            return lines(new ProgressLines(terminal, task, " MiB", MEBIBYTE, bytes));
        }
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(bytes)
                .setUnit(" MiB", MEBIBYTE)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(250)
                .setConsumer(new ConsoleProgressBarConsumer(terminal.messages(), WIDTH))
                .clearDisplayOnFinish()
                .showSpeed()
                .build();
        return new Progress(bar, bar::stepBy);
    }

    /** Of {@code count} steps of {@code task}. */
    public static Progress ofCount(Terminal terminal, String task, long count) {
        if (!terminal.messagesAreSeen()) {
            return lines(new ProgressLines(terminal, task, "", 1, count));
        }
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(count)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(250)
                .setConsumer(new ConsoleProgressBarConsumer(terminal.messages(), WIDTH))
                .clearDisplayOnFinish()
                .build();
        return new Progress(bar, bar::stepBy);
    }

    private static Progress lines(ProgressLines lines) {
        return new Progress(() -> {}, count -> lines.advance(count, System.nanoTime()));
    }

    /** One step is done. */
    public void step() {
        steps(1);
    }

    /** So many steps are done. */
    public void steps(long count) {
        advance.by(count);
    }

    /** Shows nothing. */
    public static Progress none() {
        return new Progress(() -> {}, count -> {});
    }

    /** Notes what is read from {@code in}. */
    public InputStream watch(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                int value = super.read();
                advance.by(value < 0 ? 0 : 1);
                return value;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int count = super.read(target, offset, length);
                advance.by(Math.max(count, 0));
                return count;
            }
        };
    }

    /** Takes the bar away. */
    @Override
    public void close() {
        try {
            bar.close();
        } catch (Exception broken) {
            throw new IllegalStateException("the progress bar cannot be taken away", broken);
        }
    }
}
