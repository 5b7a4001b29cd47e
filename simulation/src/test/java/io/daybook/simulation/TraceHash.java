// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

/** A program that prints the fingerprint of a seed's run. */
final class TraceHash {
    private TraceHash() {}

    /** Prints the fingerprint of the run of the seed given. */
    public static void main(String[] arguments) {
        System.out.println(
                "hash " + Simulation.ofSeed(Long.parseLong(arguments[0])).traceHash());
    }
}
