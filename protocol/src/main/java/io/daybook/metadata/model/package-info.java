// SPDX-License-Identifier: Apache-2.0
/** Metadata records and their encoding. */
@NullMarked
package io.daybook.metadata.model;

import org.jspecify.annotations.NullMarked;
