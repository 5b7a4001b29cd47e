// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.util.List;

/** Settings that cannot be used: every problem found, each on a line that names the key, the value, what is allowed and what to do. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    SettingsException(String source, List<String> problems) {
        super(source + ": " + (problems.size() == 1 ? "" : problems.size() + " problems\n  ")
                + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** One line each. */
    public List<String> problems() {
        return problems;
    }
}
