// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.disk.CookieFile;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterId;
import org.jspecify.annotations.Nullable;

/** Checks that directories, cluster and metadata agree on who a bookie is (B15). Each refusal names the difference and the remedy. */
final class Identity {
    private Identity() {}

    /** The cookie that all directories carry; throws {@link BookieStartException}. */
    static BookieCookie agreed(Directories directories) {
        BookieCookie agreed = null;
        String agreedPath = "";
        for (Directories.Directory directory : directories.all()) {
            CookieFile file = directory.cookie();
            if (file == null) {
                throw refusal(
                        directory,
                        directory.content().isEmpty()
                                ? "is empty: mount the right directory, or run 'bookie format' if this is a new bookie"
                                : "holds files but no cookie: mount the right directory, or restore its cookie");
            }
            if (agreed != null && !agreed.bookieId().equals(file.cookie().bookieId())) {
                throw refusal(
                        directory,
                        "belongs to bookie " + file.cookie().bookieId() + " but " + agreedPath + " to bookie "
                                + agreed.bookieId() + ": mount directories of one bookie");
            }
            if (!file.role().equals(directory.role())) {
                throw refusal(
                        directory,
                        "was formatted as " + file.role() + ": the directories are swapped, put each in its place");
            }
            if (!file.cookie().directories().equals(Directories.ROLES)
                    || (agreed != null && !agreed.equals(file.cookie()))) {
                throw refusal(
                        directory,
                        "was formatted with other directories ("
                                + String.join(", ", file.cookie().directories()) + "): mount the same set");
            }
            agreed = file.cookie();
            agreedPath = directory.path();
        }
        if (agreed == null) {
            throw new IllegalStateException("a bookie has directories");
        }
        return agreed;
    }

    private static BookieStartException refusal(Directories.Directory directory, String what) {
        return new BookieStartException(
                ExitCode.IDENTITY, "the directory " + directory.path() + " (" + directory.role() + ") " + what);
    }

    /** Throws {@link BookieStartException} unless cluster and metadata know this cookie; {@code stored} is null when metadata has none. */
    static void check(BookieCookie cookie, ClusterId cluster, @Nullable BookieCookie stored) {
        if (!cookie.clusterId().equals(cluster)) {
            throw new BookieStartException(
                    ExitCode.IDENTITY,
                    "bookie " + cookie.bookieId() + " belongs to cluster " + cookie.clusterId()
                            + " but the namespace is of cluster " + cluster
                            + ": name the namespace in which it was formatted");
        }
        if (stored == null) {
            throw new BookieStartException(
                    ExitCode.IDENTITY,
                    "bookie " + cookie.bookieId() + " is not known in the metadata of cluster " + cluster
                            + ": if its formatting was interrupted run 'bookie format' again; if it was"
                            + " decommissioned format empty directories as a new bookie");
        }
        if (!stored.directories().equals(cookie.directories())) {
            throw new BookieStartException(
                    ExitCode.IDENTITY,
                    "bookie " + cookie.bookieId() + " has the directories "
                            + String.join(", ", cookie.directories()) + " but metadata says "
                            + String.join(", ", stored.directories()) + ": mount the same set");
        }
    }
}
