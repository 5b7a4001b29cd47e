// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Named values of one thing, in the order in which they are shown. Values are texts, numbers, truth values, other fields, and lists of these. */
public final class Fields {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds a text. */
    public Fields with(String name, String value) {
        values.put(name, value);
        return this;
    }

    /** Adds a number. */
    public Fields with(String name, long value) {
        values.put(name, value);
        return this;
    }

    /** Adds a number with a fraction. */
    public Fields with(String name, double value) {
        values.put(name, value);
        return this;
    }

    /** Adds a truth value. */
    public Fields with(String name, boolean value) {
        values.put(name, value);
        return this;
    }

    /** Adds a number where there is one. */
    public Fields with(String name, Optional<Long> value) {
        value.ifPresent(present -> values.put(name, present));
        return this;
    }

    /** Adds other fields. */
    public Fields with(String name, Fields value) {
        values.put(name, value);
        return this;
    }

    /** Adds a list of texts. */
    public Fields withTexts(String name, List<String> value) {
        values.put(name, List.copyOf(value));
        return this;
    }

    /** Adds a list of things. */
    public Fields withList(String name, List<Fields> value) {
        values.put(name, new ArrayList<>(value));
        return this;
    }

    /** The values by name, in order. */
    Map<String, Object> values() {
        return Collections.unmodifiableMap(values);
    }
}
