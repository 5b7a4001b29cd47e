// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.io.IOException;
import java.util.Optional;

/** Cuts bytes into records, one at a time; holds one record in memory. */
public interface RecordSource {
    /** The next record, empty at the end of the input; throws {@link MalformedInputException} when the bytes are not of the format. */
    Optional<InputRecord> next() throws IOException;
}
