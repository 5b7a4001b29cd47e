// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;

/** Who the server says it is; a hello must mean the same. */
public record ServerIdentity(ClusterId clusterId, BookieId bookieId) {}
