// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.util.List;

/** The settings of configuration records as Markdown tables, one a record. */
public final class SettingsDocument {
    private SettingsDocument() {}

    /** The tables in the order of {@code types}, each under a heading with the prefix of its keys. */
    public static String render(List<Class<? extends Record>> types) {
        StringBuilder page = new StringBuilder();
        for (Class<? extends Record> type : types) {
            ConfigShape shape = ConfigShape.of(type);
            page.append("## ").append(shape.group()).append("\n\n");
            page.append("| setting | type | default | range | what it does |\n|---|---|---|---|---|\n");
            shape.settings().forEach(setting -> page.append(row(setting)));
            page.append('\n');
        }
        return page.toString();
    }

    private static String row(SettingSpec setting) {
        String fallback = setting.defaultText().isEmpty() ? "" : code(setting.defaultText());
        return "| " + code(setting.key()) + " | " + escaped(setting.typeName()) + " | " + fallback + " | "
                + escaped(setting.range()) + " | " + escaped(setting.doc()) + " |\n";
    }

    private static String code(String text) {
        return "`" + escaped(text) + "`";
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }
}
