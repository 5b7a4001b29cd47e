// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.util.LinkedHashMap;
import java.util.Map;

/** Configuration records read together from one source. */
public final class Settings {
    private final Map<Class<? extends Record>, Record> records;

    Settings(Map<Class<? extends Record>, Record> records) {
        this.records = new LinkedHashMap<>(records);
    }

    /** The record of that type; throws {@link IllegalArgumentException} when it was not asked for. */
    public <T extends Record> T get(Class<T> type) {
        Record found = records.get(type);
        if (found == null) {
            throw new IllegalArgumentException(type.getName() + " was not loaded");
        }
        return type.cast(found);
    }
}
