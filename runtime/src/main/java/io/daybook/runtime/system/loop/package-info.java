// SPDX-License-Identifier: Apache-2.0
/** Event loops on real threads, and the links over TCP which they carry. */
@NullMarked
package io.daybook.runtime.system.loop;

import org.jspecify.annotations.NullMarked;
