// SPDX-License-Identifier: Apache-2.0
/** The API of named streams: what applications see. Needs only the JDK. */
@NullMarked
package io.daybook.stream;

import org.jspecify.annotations.NullMarked;
