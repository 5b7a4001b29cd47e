// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One setting as its record component declares it; a declaration that makes no sense is refused with {@link IllegalStateException}. */
final class SettingSpec {
    private static final String ENVIRONMENT_PREFIX = "DAYBOOK_";

    private final String key;
    private final String doc;
    private final SettingType type;
    private final Object defaultValue;
    private final @Nullable Object min;
    private final @Nullable Object max;

    SettingSpec(String key, RecordComponent component, Setting setting) {
        this.key = key;
        doc = setting.doc();
        type = SettingType.of(component, setting.inBytes());
        try {
            defaultValue = type.parser().apply(setting.defaultValue());
            min = setting.min().isEmpty() ? null : type.parser().apply(setting.min());
            max = setting.max().isEmpty() ? null : type.parser().apply(setting.max());
        } catch (IllegalArgumentException malformed) {
            throw new IllegalStateException("the declaration of " + key + " is wrong", malformed);
        }
        if (doc.isBlank()) {
            throw new IllegalStateException("the declaration of " + key + " says nothing about it");
        }
        if ((min != null || max != null) && !(defaultValue instanceof Comparable)) {
            throw new IllegalStateException("the declaration of " + key + " has a range, but its values have no order");
        }
        if (!isInRange(defaultValue)) {
            throw new IllegalStateException("the default of " + key + " is not " + range());
        }
    }

    /** {@code groupCommitBytesMax} as {@code group-commit-bytes-max}. */
    static String wordsOf(String componentName) {
        return componentName.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    /** {@code bookie.journal.ring-files} as {@code DAYBOOK_BOOKIE_JOURNAL_RING_FILES}. */
    static String environmentNameOf(String key) {
        return ENVIRONMENT_PREFIX
                + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    String key() {
        return key;
    }

    String environmentName() {
        return environmentNameOf(key);
    }

    String doc() {
        return doc;
    }

    String typeName() {
        return type.name();
    }

    Object defaultValue() {
        return defaultValue;
    }

    String defaultText() {
        return type.formatter().apply(defaultValue);
    }

    /** What is allowed, such as {@code from 1 to 64}; empty when everything of the type is. */
    String range() {
        String from = min == null ? "" : "from " + type.formatter().apply(min);
        String to = max == null ? "" : "up to " + type.formatter().apply(max);
        return min != null && max != null ? from + to.substring("up".length()) : from + to;
    }

    /** Reads a value; throws {@link IllegalArgumentException} that says what is wrong with it and what to do. */
    Object parse(String text) {
        Object value = type.parser().apply(text);
        if (!isInRange(value)) {
            throw new IllegalArgumentException("'" + text + "' is out of range: write a " + type.name() + " " + range()
                    + ", or leave it out for the default of " + defaultText());
        }
        return value;
    }

    private boolean isInRange(Object value) {
        return (min == null || compare(value, min) >= 0) && (max == null || compare(value, max) <= 0);
    }

    /** Both come from the same parser, so they have one type. */
    private static int compare(Object left, Object right) {
        if (left instanceof Number leftNumber && right instanceof Number rightNumber) {
            return left instanceof Double
                    ? Double.compare(leftNumber.doubleValue(), rightNumber.doubleValue())
                    : Long.compare(leftNumber.longValue(), rightNumber.longValue());
        }
        if (left instanceof Duration leftDuration && right instanceof Duration rightDuration) {
            return leftDuration.compareTo(rightDuration);
        }
        if (left instanceof ByteSize leftSize && right instanceof ByteSize rightSize) {
            return leftSize.compareTo(rightSize);
        }
        return String.valueOf(left).compareTo(String.valueOf(right));
    }
}
