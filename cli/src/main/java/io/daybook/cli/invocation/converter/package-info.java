// SPDX-License-Identifier: Apache-2.0
/** How sizes, times and counts are read from the command line. */
@NullMarked
package io.daybook.cli.invocation.converter;

import org.jspecify.annotations.NullMarked;
