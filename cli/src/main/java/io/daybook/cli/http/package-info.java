// SPDX-License-Identifier: Apache-2.0
/** The admin endpoint of a running server. */
@NullMarked
package io.daybook.cli.http;

import org.jspecify.annotations.NullMarked;
