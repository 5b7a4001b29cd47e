// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All packed states met so far, each with a number and the number of the state it was first reached from: a table with open addressing over numbers, beside
 * chunks of {@code long}s. States are compared whole, so none is taken for another.
 */
final class StateSet {
    private static final int CHUNK_STATES = 1 << 15;
    private static final int NONE = -1;

    private final int words;
    private final List<long[]> chunks = new ArrayList<>();
    private final List<int[]> parents = new ArrayList<>();
    private int[] table = new int[1 << 16];
    private int size;

    StateSet(int words) {
        this.words = words;
        Arrays.fill(table, NONE);
    }

    int size() {
        return size;
    }

    /** Adds a state unless it is known; returns whether it was new. */
    boolean add(long[] packed, int parent) {
        int place = place(packed);
        if (table[place] != NONE) {
            return false;
        }
        if (size % CHUNK_STATES == 0) {
            chunks.add(new long[CHUNK_STATES * words]);
            parents.add(new int[CHUNK_STATES]);
        }
        System.arraycopy(packed, 0, chunk(size), offset(size), words);
        parents.get(size / CHUNK_STATES)[size % CHUNK_STATES] = parent;
        table[place] = size;
        size++;
        if (size > table.length / 2) {
            grow();
        }
        return true;
    }

    void read(int number, long[] into) {
        System.arraycopy(chunk(number), offset(number), into, 0, words);
    }

    /** The number of the state from which this one was first reached; -1 for the first. */
    int parent(int number) {
        return parents.get(number / CHUNK_STATES)[number % CHUNK_STATES];
    }

    private int place(long[] packed) {
        int place = hash(packed, 0) & (table.length - 1);
        while (table[place] != NONE && !isSame(table[place], packed)) {
            place = (place + 1) & (table.length - 1);
        }
        return place;
    }

    private boolean isSame(int number, long[] packed) {
        int from = offset(number);
        return Arrays.equals(chunk(number), from, from + words, packed, 0, words);
    }

    private void grow() {
        table = new int[table.length * 2];
        Arrays.fill(table, NONE);
        for (int number = 0; number < size; number++) {
            int place = hash(chunk(number), offset(number)) & (table.length - 1);
            while (table[place] != NONE) {
                place = (place + 1) & (table.length - 1);
            }
            table[place] = number;
        }
    }

    private int hash(long[] in, int from) {
        long hash = 0;
        for (int i = 0; i < words; i++) {
            hash = (hash ^ in[from + i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) (hash ^ hash >>> 29);
    }

    private long[] chunk(int number) {
        return chunks.get(number / CHUNK_STATES);
    }

    private int offset(int number) {
        return number % CHUNK_STATES * words;
    }
}
