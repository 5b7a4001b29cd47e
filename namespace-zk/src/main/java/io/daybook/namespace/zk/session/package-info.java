// SPDX-License-Identifier: Apache-2.0
/** The connection to ZooKeeper: calls whose unknown outcomes are found out, changes of several nodes, watches that stand. */
@NullMarked
package io.daybook.namespace.zk.session;

import org.jspecify.annotations.NullMarked;
