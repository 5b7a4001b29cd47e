// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie.show;

import io.daybook.cli.terminal.CommandFailure;
import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import java.util.List;
import java.util.Optional;

/** A bookie that somebody named by its id, the beginning of it, or where it listens. */
record BookieChoice(BookieCookie cookie, Optional<BookieRegistration> registration) {
    /** Fewer digits would name another bookie tomorrow. */
    private static final int DIGITS_MIN = 4;

    /** Finds it in the metadata of the cluster; says so when there is none, or more than one. */
    static BookieChoice find(BookieRegistry bookies, String text) {
        List<BookieCookie> formatted = bookies.cookies().join();
        List<BookieRegistration> live = bookies.live().join();
        if (text.contains(":")) {
            BookieRegistration registration = live.stream()
                    .filter(bookie -> bookie.address().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new CommandFailure("no bookie that runs listens at " + text
                            + ": 'daybook bookie list' shows where they listen"));
            return new BookieChoice(only(formatted, registration.bookieId().toString()), Optional.of(registration));
        }
        BookieCookie cookie = only(formatted, text);
        return new BookieChoice(
                cookie,
                live.stream()
                        .filter(bookie -> bookie.bookieId().equals(cookie.bookieId()))
                        .findFirst());
    }

    private static BookieCookie only(List<BookieCookie> formatted, String text) {
        List<BookieCookie> matching = formatted.stream()
                .filter(cookie -> cookie.bookieId().toString().startsWith(text))
                .toList();
        if (matching.size() == 1 && text.length() >= DIGITS_MIN) {
            return matching.get(0);
        }
        String what = matching.isEmpty()
                ? "there is no bookie " + text
                : text.length() < DIGITS_MIN
                        ? "'" + text + "' is too short for a bookie's id"
                        : matching.size() + " bookies have ids that begin with " + text;
        throw new CommandFailure(what + ": 'daybook bookie list' shows all");
    }
}
