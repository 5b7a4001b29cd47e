// SPDX-License-Identifier: Apache-2.0
/** Links from clients and the requests that come in on them. */
@NullMarked
package io.daybook.bookie.server;

import org.jspecify.annotations.NullMarked;
