// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/** Checks of what must always hold. Always on, so a check must be cheap: the message is only built when it fails. */
public final class Invariants {
    private Invariants() {}

    /** Throws {@link InvariantViolation} unless {@code condition} holds. */
    public static void require(boolean condition, String message) {
        if (!condition) {
            throw new InvariantViolation(message);
        }
    }

    /** As {@link #require(boolean, String)}; each {@code {}} in the template is replaced by the next argument. */
    public static void require(boolean condition, String template, long first, long second) {
        if (!condition) {
            throw new InvariantViolation(
                    template.replaceFirst("\\{}", Long.toString(first)).replaceFirst("\\{}", Long.toString(second)));
        }
    }

    /** As {@link #require(boolean, String)}; each {@code {}} in the template is replaced by the next argument. */
    public static void require(boolean condition, String template, Object first, Object second) {
        if (!condition) {
            String withFirst = replaceNext(template, String.valueOf(first));
            throw new InvariantViolation(replaceNext(withFirst, String.valueOf(second)));
        }
    }

    private static String replaceNext(String template, String value) {
        int hole = template.indexOf("{}");
        return hole < 0 ? template + " " + value : template.substring(0, hole) + value + template.substring(hole + 2);
    }

    /** A bug: something that must always hold does not. The bookie process stops, a client handle fails; nobody goes on as if nothing happened. */
    public static final class InvariantViolation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** With a message that begins with the id of the invariant, such as {@code L10: …}. */
        public InvariantViolation(String message) {
            super(message);
        }
    }
}
