// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie.show;

import io.daybook.cli.invocation.ClusterIdentity;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook bookie list}. */
@Command(
        name = "list",
        description = "Lists all bookies that were formatted, and what the live ones say of themselves.")
public final class BookieList implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    BookieList(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        List<Fields> rows;
        try (MetadataStores stores = invocation.openStores()) {
            ClusterIdentity.read(stores, invocation.options().namespace());
            List<BookieCookie> formatted = stores.bookies().cookies().join();
            Map<BookieId, BookieRegistration> live = new LinkedHashMap<>();
            stores.bookies().live().join().forEach(bookie -> live.put(bookie.bookieId(), bookie));
            rows = formatted.stream().map(cookie -> row(cookie, live)).toList();
        }
        Output output = invocation.output();
        output.table(rows);
        output.flush();
        return ExitCodes.DONE;
    }

    private static Fields row(BookieCookie cookie, Map<BookieId, BookieRegistration> live) {
        Fields row = BookieFields.identity(cookie);
        BookieRegistration registration = live.get(cookie.bookieId());
        return registration == null ? row.with("state", "down") : BookieFields.registered(row, registration);
    }
}
