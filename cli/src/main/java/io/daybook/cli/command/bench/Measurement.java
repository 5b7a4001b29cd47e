// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.LoadBench;
import io.daybook.benchmarks.Workload;
import io.daybook.benchmarks.cluster.BenchCluster;
import io.daybook.benchmarks.report.BenchResult;
import io.daybook.benchmarks.report.Delivery;
import io.daybook.benchmarks.report.JsonReport;
import io.daybook.benchmarks.report.TextReport;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Started;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.OutputForm;
import io.daybook.cli.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Runs one measurement and hands its result out. */
record Measurement(Invocation invocation, ClusterOptions cluster, LoadOptions load) {
    /** Opens what is measured, on the cluster. */
    interface Opening {
        /** The caller closes it; what fails leaves nothing behind. */
        Workload on(BenchCluster cluster);
    }

    int run(Opening opening) throws IOException, InterruptedException {
        Terminal terminal = invocation.terminal();
        BenchResult result;
        try (Started<BenchCluster> started = Started.of(() -> cluster.open(invocation), BenchCluster::close);
                Cleaning cleaning = new Cleaning(started.get())) {
            BenchCluster measured = started.get();
            Workload workload = cleaning.make(() -> opening.on(measured), Workload::close);
            result = new LoadBench(measured, load.plan(), line -> terminal.message("daybook: " + line)).run(workload);
        }
        publish(result);
        BenchResult.Rates rates = result.rates();
        if (rates.failed() > 0 || rates.unanswered() > 0) {
            throw new CommandFailure(rates.failed() + " appends failed and " + rates.unanswered()
                    + " were not answered; first failure: "
                    + (rates.firstFailure().isEmpty() ? "none" : rates.firstFailure()));
        }
        Optional<Delivery> delivery = result.delivery();
        if (delivery.isPresent() && !delivery.get().isComplete()) {
            Delivery lacking = delivery.get();
            throw new CommandFailure(
                    lacking.missing() + " acknowledged records were not read and " + lacking.misplaced()
                            + " were read in another's place"
                            + (lacking.readerFailure().isEmpty() ? "" : "; the reader: " + lacking.readerFailure()));
        }
        return ExitCodes.DONE;
    }

    private void publish(BenchResult result) throws IOException {
        String json = JsonReport.render(result);
        Optional<Path> file = load.json();
        if (file.isPresent()) {
            Files.writeString(file.get(), json);
        }
        boolean isForPrograms = invocation.options().output() == OutputForm.json;
        OutputStream out = invocation.terminal().out();
        out.write((isForPrograms ? json : TextReport.render(result)).getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
