// SPDX-License-Identifier: Apache-2.0
/** The metadata stores kept in ZooKeeper. */
@NullMarked
package io.daybook.namespace.zk;

import org.jspecify.annotations.NullMarked;
