// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What failed, without the wrappers that futures put around it. */
public final class Failures {
    private Failures() {}

    /** Strips {@link CompletionException} and {@link ExecutionException} from {@code failure}; null stays null. */
    public static @Nullable Throwable rootOf(@Nullable Throwable failure) {
        Throwable root = failure;
        while ((root instanceof CompletionException || root instanceof ExecutionException) && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
