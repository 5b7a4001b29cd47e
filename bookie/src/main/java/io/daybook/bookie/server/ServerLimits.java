// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

/**
 * Bounds on what clients may ask for.
 *
 * @param linksMax links open at once
 * @param readsInFlightMax reads of one link that are not answered yet, tail reads included
 * @param greetingNanos how long a link may take to say hello
 */
public record ServerLimits(int linksMax, int readsInFlightMax, long greetingNanos) {}
