// SPDX-License-Identifier: Apache-2.0
/** Records as bytes of a file or a pipe, in four formats. */
@NullMarked
package io.daybook.cli.format;

import org.jspecify.annotations.NullMarked;
