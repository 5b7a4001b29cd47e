// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The prefix of the keys of a configuration record, such as {@code bookie.journal}. A record inside a record takes the outer prefix and its name. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SettingsGroup {
    /** The prefix, without a dot at the end. */
    String value();
}
