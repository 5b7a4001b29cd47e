// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.disk.CookieFile;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that directories, cluster and metadata agree on who a bookie is (B15). Each refusal names the difference and the remedy. */
final class Identity {
    private Identity() {}

    /** The cookie that all directories carry; throws {@link BookieStartException}. */
    static BookieCookie agreed(Directories directories) {
        Directories.@Nullable Directory first = null;
        @Nullable BookieCookie agreed = null;
        for (Directories.Directory directory : directories.all()) {
            CookieFile file = directory.cookie();
            if (file == null) {
                continue;
            }
            if (agreed != null && first != null) {
                requireSameBookie(directory, file.cookie(), first, agreed);
            } else {
                first = directory;
                agreed = file.cookie();
            }
        }
        if (agreed != null) {
            requireSameSet(directories, agreed);
        }
        directories.all().forEach(Identity::requireItsPlace);
        if (agreed == null) {
            throw new IllegalStateException("a bookie has directories");
        }
        return agreed;
    }

    private static void requireSameBookie(
            Directories.Directory directory, BookieCookie cookie, Directories.Directory first, BookieCookie agreed) {
        if (!agreed.bookieId().equals(cookie.bookieId())) {
            throw refusal(
                    directory,
                    "belongs to bookie " + cookie.bookieId() + " but " + first.path() + " to bookie "
                            + agreed.bookieId() + ": mount directories of one bookie");
        }
        if (!agreed.equals(cookie)) {
            throw refusal(
                    directory,
                    "was formatted with " + String.join(", ", cookie.directories()) + " but " + first.path() + " with "
                            + String.join(", ", agreed.directories()) + ": mount the same set");
        }
    }

    private static void requireSameSet(Directories directories, BookieCookie cookie) {
        List<String> missing = new ArrayList<>(cookie.directories());
        missing.removeAll(directories.roles());
        if (!missing.isEmpty()) {
            throw new BookieStartException(
                    ExitCode.IDENTITY,
                    "bookie " + cookie.bookieId() + " was formatted with " + String.join(", ", cookie.directories())
                            + " but no directory is named for " + String.join(", ", missing)
                            + ": name all of them in " + settingsOf(missing) + ", in the same order");
        }
        List<String> additional = new ArrayList<>(directories.roles());
        additional.removeAll(cookie.directories());
        for (Directories.Directory directory : directories.all()) {
            if (additional.contains(directory.role())) {
                throw refusal(
                        directory,
                        "is none of bookie " + cookie.bookieId() + ", which was formatted with "
                                + String.join(", ", cookie.directories())
                                + ": take it out of " + Directories.settingOf(directory.role())
                                + "; the directories of a bookie stay those"
                                + " with which it was formatted");
            }
        }
    }

    private static String settingsOf(List<String> roles) {
        return String.join(
                " and ", roles.stream().map(Directories::settingOf).distinct().toList());
    }

    private static void requireItsPlace(Directories.Directory directory) {
        CookieFile file = directory.cookie();
        if (file == null) {
            throw refusal(
                    directory,
                    directory.content().isEmpty()
                            ? "is empty: mount the right directory, or run 'bookie format' if this is a new bookie"
                            : "holds files but no cookie: mount the right directory, or restore its cookie");
        }
        if (!file.role().equals(directory.role())) {
            throw refusal(
                    directory,
                    "was formatted as " + file.role() + ": the directories are swapped, put each in its place");
        }
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
