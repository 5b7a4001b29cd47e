// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.netty.buffer.ByteBuf;

/** Takes everything and says nothing. */
final class SilentLink implements LinkHandler {
    @Override
    public void opened(Link link) {}

    @Override
    public void frame(Link link, ByteBuf frame) {
        frame.release();
    }

    @Override
    public void closed(String reason) {}
}
