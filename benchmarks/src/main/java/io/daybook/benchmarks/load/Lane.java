// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

/** One handle that is put under load. */
public interface Lane extends AutoCloseable {
    /** Whom to tell of the requests made from now on. Called while nothing is under way. */
    void reportTo(Ending ending);

    /**
     * Makes {@code count} requests; from any thread, also from within {@link Ending}. The array belongs to the caller again afterwards.
     *
     * @param startNanos from when the latency of each counts; handed back with its end
     */
    void send(long[] startNanos, int count);

    /** Makes one request, in the same way. */
    void send(long startNanos);

    /** Gives the handle back. Called while nothing is under way, or after a failure. */
    @Override
    void close();

    /** Told once for each request. */
    interface Ending {
        /** It was acknowledged. */
        void done(long startNanos);

        /** It was not, or that is not known. */
        void failed(long startNanos, Throwable why);
    }
}
