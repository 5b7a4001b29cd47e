// SPDX-License-Identifier: Apache-2.0
/** Getting space back: ledgers that are gone, logs of which little is alive, what was removed and not yet unlinked. */
@NullMarked
package io.daybook.bookie.cleanup;

import org.jspecify.annotations.NullMarked;
