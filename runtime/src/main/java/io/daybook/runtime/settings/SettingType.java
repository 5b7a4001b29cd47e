// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import io.daybook.runtime.Endpoint;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How values of one Java type are written in settings.
 *
 * @param name for the documentation
 * @param parser reads a value; throws {@link IllegalArgumentException} that names the text and the form
 * @param formatter writes a value as one would in a file
 */
record SettingType(String name, Function<String, Object> parser, Function<Object, String> formatter) {
    private SettingType(String name, Function<String, Object> parser) {
        this(name, parser, String::valueOf);
    }

    /** The type of a component; throws {@link IllegalStateException} for one that no setting can have. */
    static SettingType of(RecordComponent component, boolean inBytes) {
        Class<?> type = component.getType();
        if (inBytes) {
            return sizeAs(component, type);
        }
        if (type == int.class) {
            return new SettingType("number", text -> Math.toIntExact(parseLong(text, Integer.MAX_VALUE)));
        }
        if (type == long.class) {
            return new SettingType("number", text -> parseLong(text, Long.MAX_VALUE));
        }
        if (type == double.class) {
            return new SettingType("fraction", SettingType::parseDouble);
        }
        if (type == boolean.class) {
            return new SettingType("true or false", SettingType::parseBoolean);
        }
        if (type == String.class) {
            return new SettingType("text", String::strip);
        }
        if (type == Duration.class) {
            return new SettingType("duration", Durations::parse, value -> Durations.format((Duration) value));
        }
        if (type == ByteSize.class) {
            return new SettingType("size", ByteSize::parse);
        }
        if (type == Endpoint.class) {
            return new SettingType("host:port", text -> Endpoint.parse(text.strip()));
        }
        if (type.isEnum()) {
            return ofEnum(type);
        }
        if (component.getGenericType().getTypeName().equals("java.util.List<java.lang.String>")) {
            return new SettingType("list", SettingType::parseList, value -> String.join(",", listOf(value)));
        }
        throw new IllegalStateException(component + " has a type that no setting can have");
    }

    private static SettingType sizeAs(RecordComponent component, Class<?> type) {
        if (type == long.class) {
            return new SettingType("size", text -> ByteSize.parse(text).bytes(), SettingType::formatSize);
        }
        if (type == int.class) {
            return new SettingType("size", SettingType::parseIntSize, SettingType::formatSize);
        }
        throw new IllegalStateException(component + " is said to be in bytes: make it an int or a long");
    }

    private static Object parseIntSize(String text) {
        long bytes = ByteSize.parse(text).bytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "' is too large a size: write less than 2GiB");
        }
        return (int) bytes;
    }

    private static String formatSize(Object value) {
        return new ByteSize(((Number) value).longValue()).toString();
    }

    private static long parseLong(String text, long max) {
        try {
            long value = Long.parseLong(text.strip().replace("_", ""));
            if (Math.abs(value) <= max) {
                return value;
            }
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", malformed);
        }
        throw new IllegalArgumentException("'" + text + "' is too large a number");
    }

    private static Object parseDouble(String text) {
        try {
            double value = Double.parseDouble(text.strip());
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("'" + text + "' is not a number", malformed);
        }
        throw new IllegalArgumentException("'" + text + "' is not a number");
    }

    private static Object parseBoolean(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }

    private static Object parseList(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static List<String> listOf(Object value) {
        return ((List<?>) value).stream().map(String::valueOf).toList();
    }

    private static SettingType ofEnum(Class<?> type) {
        List<Object> constants = List.of(type.getEnumConstants());
        String names = constants.stream().map(SettingType::nameOf).collect(Collectors.joining(", "));
        Function<String, Object> parser = text -> constants.stream()
                .filter(constant -> nameOf(constant)
                        .equals(text.strip().toLowerCase(Locale.ROOT).replace('_', '-')))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is none of " + names));
        return new SettingType("one of " + names, parser, SettingType::nameOf);
    }

    private static String nameOf(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
