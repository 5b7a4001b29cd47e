// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.cluster;

import io.daybook.cli.invocation.ClusterIdentity;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterInfo;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook cluster status}. */
@Command(name = "status", description = "Shows the cluster: its id, and how many bookies it has and how many answer.")
final class ClusterStatus implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    ClusterStatus(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Fields fields;
        try (MetadataStores stores = invocation.openStores()) {
            ClusterInfo cluster =
                    ClusterIdentity.read(stores, invocation.options().namespace());
            List<BookieCookie> formatted = stores.bookies().cookies().join();
            List<BookieRegistration> live = stores.bookies().live().join();
            fields = new Fields()
                    .with("namespace", invocation.options().namespace())
                    .with("clusterId", cluster.clusterId().toString())
                    .with(
                            "created",
                            Instant.ofEpochMilli(cluster.createdMillis()).toString())
                    .with("formattedBookies", (long) formatted.size())
                    .with("liveBookies", (long) live.size())
                    .with(
                            "writableBookies",
                            live.stream().filter(bookie -> !bookie.readOnly()).count());
        }
        Output output = invocation.output();
        output.thing(fields);
        output.flush();
        return ExitCodes.DONE;
    }
}
