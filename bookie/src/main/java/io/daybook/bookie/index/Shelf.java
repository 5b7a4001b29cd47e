// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.index.pages.PageCache;

/** What the extents of all ledgers of a core loop share: the logs, in which they count what is alive, and the memory. */
public record Shelf(LogTable logs, PageCache cache) {}
