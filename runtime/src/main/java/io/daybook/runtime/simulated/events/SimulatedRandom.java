// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import io.daybook.runtime.RandomSource;

/**
 * Stateless chance: every number is a hash of (seed, stream, entity, counter), so a consumer that is added or left out does not change what the
 * others draw. An instance is one entity's sequence.
 */
public final class SimulatedRandom implements RandomSource {
    /** What chance is drawn for: one independent stream each. */
    public enum Stream {
        /** The order of events of the same instant. */
        TIE(1),
        /** How fast a loop wakes and how much it does in a turn. */
        LOOP(2),
        /** How late timers are. */
        TIMER(3),
        /** Latencies and losses of links. */
        NETWORK(4),
        /** Latencies and failures of disks. */
        DISK(5),
        /** What a crash leaves on a disk. */
        CRASH(6),
        /** The ports handed to processes. */
        HOST(7),
        /** Plans and workloads. */
        WORLD(8),
        /** The ranks of loops. */
        PRIORITY(9);

        private final long number;

        Stream(long number) {
            this.number = number;
        }
    }

    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private final long seed;
    private final Stream stream;
    private final long entity;
    private long counter;

    /** The sequence of one entity of a stream. */
    public SimulatedRandom(long seed, Stream stream, long entity) {
        this.seed = seed;
        this.stream = stream;
        this.entity = entity;
    }

    /** The random number at (seed, stream, entity, counter). The mixing steps are the finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    public static long mix(long seed, Stream stream, long entity, long counter) {
        long mixed = finish(seed + STEP * stream.number);
        mixed = finish((mixed ^ entity) + STEP);
        return finish(mixed + STEP * (counter + 1));
    }

    private static long finish(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** The number of an entity that has a name (FNV-1a over its characters). */
    public static long entityOf(String name) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }

    /** {@code random} brought into 0 to {@code bound - 1}; {@code bound} is at least 1. */
    public static long below(long random, long bound) {
        return Long.remainderUnsigned(random, bound);
    }

    /**
     * {@code random} as an exponentially distributed number of about the given mean. In integers: the leading zeros are the whole part of a
     * binary logarithm and the bits after the leading one stand for its fraction, so that every JVM computes the same.
     */
    public static long exponential(long random, long mean) {
        int zeros = Long.numberOfLeadingZeros(random | 1);
        long fraction = zeros >= 47 ? 0 : (random << (zeros + 1)) >>> 48;
        long binaryLogarithm = ((long) (zeros + 1) << 16) - fraction;
        return (((mean * 45_426) >> 16) * binaryLogarithm) >> 16;
    }

    @Override
    public long nextLong() {
        return mix(seed, stream, entity, counter++);
    }

    /** A number from 0 to {@code bound - 1}. */
    public long nextBelow(long bound) {
        return below(nextLong(), bound);
    }

    /** True once in {@code odds} times. */
    public boolean oneIn(int odds) {
        return nextBelow(odds) == 0;
    }

    /** An exponentially distributed number of about the given mean. */
    public long nextExponential(long mean) {
        return exponential(nextLong(), mean);
    }

    @Override
    public SimulatedRandom fork(String name) {
        return new SimulatedRandom(seed, stream, mix(seed, stream, entity, entityOf(name)));
    }
}
