// SPDX-License-Identifier: Apache-2.0
/** The records that the metadata stores hold. */
@NullMarked
package io.daybook.metadata.model;

import org.jspecify.annotations.NullMarked;
