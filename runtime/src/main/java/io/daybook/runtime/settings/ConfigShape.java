// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A configuration record taken apart: settings, and records of settings inside it. */
final class ConfigShape {
    private final Class<? extends Record> type;
    private final String group;
    private final List<SettingSpec> settings = new ArrayList<>();

    /** In the order of the components: a {@link SettingSpec} or a {@link ConfigShape}. */
    private final List<Object> parts = new ArrayList<>();

    private ConfigShape(Class<? extends Record> type, String group) {
        this.type = type;
        this.group = group;
        for (RecordComponent component : type.getRecordComponents()) {
            add(component);
        }
    }

    static ConfigShape of(Class<? extends Record> type) {
        SettingsGroup named = type.getAnnotation(SettingsGroup.class);
        return new ConfigShape(type, named == null ? "" : named.value());
    }

    private void add(RecordComponent component) {
        String words = SettingSpec.wordsOf(component.getName());
        String key = group.isEmpty() ? words : group + "." + words;
        Setting setting = component.getAnnotation(Setting.class);
        if (setting != null) {
            SettingSpec spec = new SettingSpec(key, component, setting);
            settings.add(spec);
            parts.add(spec);
        } else if (component.getType().isRecord()) {
            ConfigShape inner = new ConfigShape(component.getType().asSubclass(Record.class), key);
            settings.addAll(inner.settings);
            parts.add(inner);
        } else {
            throw new IllegalStateException(component + " is neither a @Setting nor a record of settings");
        }
    }

    String group() {
        return group;
    }

    /** All settings, also those of inner records, in the order of declaration. */
    List<SettingSpec> settings() {
        return settings;
    }

    /** Makes the record; null when a value is null, or when its constructor refuses, which is added to {@code problems}. */
    @Nullable
    Record build(Function<SettingSpec, @Nullable Object> values, List<String> problems) {
        @Nullable Object[] arguments = new @Nullable Object[parts.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = parts.get(i) instanceof ConfigShape inner
                    ? inner.build(values, problems)
                    : values.apply((SettingSpec) parts.get(i));
            if (arguments[i] == null) {
                return null;
            }
        }
        return construct(arguments, problems);
    }

    private @Nullable Record construct(@Nullable Object[] arguments, List<String> problems) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<? extends Record> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof IllegalArgumentException refusal) {
                problems.add((group.isEmpty() ? type.getSimpleName() : group) + ": " + refusal.getMessage());
                return null;
            }
            throw new IllegalStateException(type + " cannot be made", refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(type + " cannot be made", impossible);
        }
    }
}
