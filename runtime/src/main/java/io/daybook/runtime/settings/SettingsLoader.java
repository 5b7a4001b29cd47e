// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Reads configuration records from text: keys of a file or map, overridden by the environment. Everything that is wrong is told at once, in a
 * {@link SettingsException}: unknown keys, malformed values, values out of range, and what the constructors of the records refuse.
 *
 * <pre>{@code
 * Settings settings = SettingsLoader.ofText("daybook.properties", text).withEnvironment(System.getenv()).load(List.of(JournalConfig.class, HttpConfig.class));
 * JournalConfig journal = settings.get(JournalConfig.class);
 * }</pre>
 */
public final class SettingsLoader {
    private final String source;
    private final Map<String, String> values;
    private final Map<String, String> environment;
    private final List<String> earlyProblems;

    private SettingsLoader(
            String source, Map<String, String> values, Map<String, String> environment, List<String> earlyProblems) {
        this.source = source;
        this.values = new TreeMap<>(values);
        this.environment = new TreeMap<>(environment);
        this.earlyProblems = earlyProblems;
    }

    /** A record in which every setting has its default. */
    public static <T extends Record> T defaults(Class<T> type) {
        return of("defaults", Map.of()).load(List.of(type)).get(type);
    }

    /** A record with defaults except for the given keys, each with the record's prefix: for code and tests. */
    public static <T extends Record> T with(Class<T> type, Map<String, String> values) {
        return of("settings", values).load(List.of(type)).get(type);
    }

    /** Reads keys and values; {@code source} names where they come from in messages. */
    public static SettingsLoader of(String source, Map<String, String> values) {
        return new SettingsLoader(source, values, Map.of(), List.of());
    }

    /** Reads properties. */
    public static SettingsLoader of(String source, Properties properties) {
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        return of(source, values);
    }

    /** Reads the text of a properties file; a key that is set twice is a problem. */
    public static SettingsLoader ofText(String source, String text) {
        Map<String, String> values = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (String line : logicalLines(text)) {
            Properties one = new Properties();
            try (Reader reader = new StringReader(line)) {
                one.load(reader);
            } catch (IOException | IllegalArgumentException malformed) {
                problems.add("is not a properties file: " + malformed.getMessage());
            }
            for (String key : one.stringPropertyNames()) {
                if (values.put(key, one.getProperty(key)) != null) {
                    problems.add(key + " is set twice: remove one of the two lines");
                }
            }
        }
        return new SettingsLoader(source, values, Map.of(), problems);
    }

    /** Lines joined with the next where an odd number of backslashes ends them; comments are never joined. */
    private static List<String> logicalLines(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : text.lines().toList()) {
            String start = line.stripLeading();
            boolean comment = open.isEmpty() && (start.startsWith("#") || start.startsWith("!"));
            open.append(line);
            if (!comment && endsWithOddBackslashes(line)) {
                open.append('\n');
            } else {
                lines.add(open.toString());
                open.setLength(0);
            }
        }
        if (!open.isEmpty()) {
            lines.add(open.toString());
        }
        return lines;
    }

    private static boolean endsWithOddBackslashes(String line) {
        int count = 0;
        while (count < line.length() && line.charAt(line.length() - 1 - count) == '\\') {
            count++;
        }
        return count % 2 == 1;
    }

    /** Lets variables such as {@code DAYBOOK_BOOKIE_JOURNAL_RING_FILES} override {@code bookie.journal.ring-files}. */
    public SettingsLoader withEnvironment(Map<String, String> variables) {
        return new SettingsLoader(source, values, variables, earlyProblems);
    }

    /** Reads records of these types, to which all keys must belong; throws {@link SettingsException} with every problem found. */
    public Settings load(List<Class<? extends Record>> types) {
        List<String> problems = new ArrayList<>(earlyProblems);
        Map<Class<? extends Record>, ConfigShape> shapes = new LinkedHashMap<>();
        Map<String, SettingSpec> specs = new TreeMap<>();
        for (Class<? extends Record> type : types) {
            ConfigShape shape = ConfigShape.of(type);
            shapes.put(type, shape);
            shape.settings().forEach(spec -> specs.put(spec.key(), spec));
        }
        refuseUnknown(specs, shapes, problems);
        Map<SettingSpec, Object> parsed = new LinkedHashMap<>();
        for (SettingSpec spec : specs.values()) {
            valueOf(spec, problems).ifPresent(value -> parsed.put(spec, value));
        }
        Map<Class<? extends Record>, Record> records = new LinkedHashMap<>();
        shapes.forEach((type, shape) -> {
            Record built = shape.build(parsed::get, problems);
            if (built != null) {
                records.put(type, built);
            }
        });
        if (!problems.isEmpty()) {
            throw new SettingsException(source, problems);
        }
        return new Settings(records);
    }

    private void refuseUnknown(
            Map<String, SettingSpec> specs, Map<Class<? extends Record>, ConfigShape> shapes, List<String> problems) {
        for (String key : values.keySet()) {
            if (!specs.containsKey(key)) {
                problems.add(key + " is not a setting" + suggestion(NearestName.to(key, specs.keySet())));
            }
        }
        List<String> variables =
                specs.values().stream().map(SettingSpec::environmentName).toList();
        for (String variable : environment.keySet()) {
            boolean isOurs = shapes.values().stream().anyMatch(shape -> isOfGroup(variable, shape));
            if (isOurs && !variables.contains(variable)) {
                problems.add("environment variable " + variable + " is not a setting"
                        + suggestion(NearestName.to(variable, variables)));
            }
        }
    }

    /** Other variables with our prefix mean other things, such as {@code DAYBOOK_NAMESPACE}. */
    private static boolean isOfGroup(String variable, ConfigShape shape) {
        return !shape.group().isEmpty() && variable.startsWith(SettingSpec.environmentNameOf(shape.group()) + "_");
    }

    private static String suggestion(Optional<String> nearest) {
        return nearest.map(name -> ": did you mean " + name + "?").orElse(": remove it");
    }

    /** Empty when it is refused: then no record is made of it either, which could only add confusion. */
    private Optional<Object> valueOf(SettingSpec spec, List<String> problems) {
        String override = environment.get(spec.environmentName());
        String text = override != null ? override : values.get(spec.key());
        if (text == null) {
            return Optional.of(spec.defaultValue());
        }
        try {
            return Optional.of(spec.parse(text));
        } catch (IllegalArgumentException refused) {
            String where = override != null ? "environment variable " + spec.environmentName() : spec.key();
            problems.add(where + ": " + refused.getMessage());
            return Optional.empty();
        }
    }
}
