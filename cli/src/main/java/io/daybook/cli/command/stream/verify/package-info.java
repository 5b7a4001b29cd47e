// SPDX-License-Identifier: Apache-2.0
/** {@code daybook stream verify}: whether a stream holds what it is to hold, record by record and copy by copy. */
@NullMarked
package io.daybook.cli.command.stream.verify;

import org.jspecify.annotations.NullMarked;
