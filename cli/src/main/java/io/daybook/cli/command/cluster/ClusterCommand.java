// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.cluster;

import picocli.CommandLine.Command;

/** {@code daybook cluster}. */
@Command(
        name = "cluster",
        description = "The cluster as a whole.",
        subcommands = {ClusterInit.class, ClusterStatus.class})
public final class ClusterCommand {}
