// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.cluster;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook cluster init}. */
@Command(
        name = "init",
        description = "Makes a new cluster in the metadata store that --namespace names, and prints its id. Done once.")
final class ClusterInit implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    ClusterInit(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        SecureRandom random = new SecureRandom();
        ClusterId clusterId = new ClusterId(random.nextLong(), random.nextLong());
        try (MetadataStores stores = invocation.openStores()) {
            stores.cluster()
                    .initialize(new ClusterInfo(clusterId, System.currentTimeMillis()))
                    .join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof MetadataException refused
                    && refused.code() == MetadataException.Code.ALREADY_EXISTS) {
                throw new CommandFailure(
                        "there is a cluster at " + invocation.options().namespace()
                                + " already: 'daybook cluster status' shows it",
                        refused);
            }
            throw failure;
        }
        Output output = invocation.output();
        output.result(clusterId.toString(), new Fields().with("clusterId", clusterId.toString()));
        output.flush();
        return ExitCodes.DONE;
    }
}
