// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A setting: a component of a configuration record. Its key is the record's {@link SettingsGroup}, a dot, and the component's name in words with
 * hyphens: {@code groupCommitBytesMax} of {@code bookie.journal} is {@code bookie.journal.group-commit-bytes-max}, and
 * {@code DAYBOOK_BOOKIE_JOURNAL_GROUP_COMMIT_BYTES_MAX} in the environment.
 *
 * <p>The component is an {@code int}, {@code long}, {@code double}, {@code boolean}, {@code String}, {@code Duration} ({@code 5ms}, {@code 2s},
 * {@code PT1M}), {@link ByteSize} ({@code 64KiB}), {@code Endpoint} ({@code host:port}), an enum ({@code write-quorum}) or a
 * {@code List<String>} (comma-separated).
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** What it does, and who would change it when; one or two sentences for operators. */
    String doc();

    /** What holds when it is not set, as one would write it in a file. */
    String defaultValue();

    /** The least value allowed; empty for no bound. */
    String min() default "";

    /** The greatest value allowed; empty for no bound. */
    String max() default "";

    /** Whether an {@code int} or {@code long} is a size in bytes, written like a {@link ByteSize}. */
    boolean inBytes() default false;
}
