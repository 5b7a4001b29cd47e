// SPDX-License-Identifier: Apache-2.0
/** A JUnit extension that lends a cluster to tests. */
@NullMarked
package io.daybook.testkit.junit;

import org.jspecify.annotations.NullMarked;
