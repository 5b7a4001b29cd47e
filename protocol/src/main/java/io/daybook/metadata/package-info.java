// SPDX-License-Identifier: Apache-2.0
/** Interfaces of the metadata stores. */
@NullMarked
package io.daybook.metadata;

import org.jspecify.annotations.NullMarked;
