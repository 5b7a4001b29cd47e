// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

/**
 * Bounds on what clients may ask for.
 *
 * @param linksMax links open at once
 * @param readsInFlightMax reads of one link that are not answered yet, without those that wait for an entry
 * @param answerBytesMax bytes of answers to reads that are made or not taken by their clients yet, over all links
 * @param greetingNanos how long a link may take to say hello
 * @param stallNanos how long a client that is owed answers may take none of them
 */
public record ServerLimits(
        int linksMax, int readsInFlightMax, long answerBytesMax, long greetingNanos, long stallNanos) {}
