// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.micro;

import io.daybook.ledger.quorum.EntryVerdict;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.Quorums;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The arithmetic of quorums: what a writer does for each entry, and what recovery does for each entry that it looks for. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QuorumBenchmark {
    /** E/Qw/Qa, the second one striped. */
    @Param({"3/3/2", "5/3/2"})
    private String quorums = "3/3/2";

    private WriteSets writeSets = new WriteSets(Quorums.DEFAULT);
    private long entryId;

    /** Takes over the parameter. */
    @Setup
    public void prepare() {
        String[] numbers = quorums.split("/", -1);
        writeSets = new WriteSets(
                new Quorums(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2])));
    }

    /** The members of an entry, and a look after each acknowledgement whether it is enough. */
    @Benchmark
    public int countAcknowledgements() {
        entryId++;
        int acked = 0;
        int looks = 1;
        for (int i = 0; !writeSets.isAckQuorum(entryId, acked); i++) {
            acked |= 1 << writeSets.slotAt(entryId, i);
            looks++;
        }
        return writeSets.slotsOf(entryId) + looks;
    }

    /** From the first denial to the proof that an entry is absent. */
    @Benchmark
    public EntryVerdict.Kind concludeAbsence() {
        entryId++;
        EntryVerdict verdict =
                new EntryVerdict(writeSets.slotsOf(entryId), writeSets.quorums().cover());
        for (int i = 0; verdict.kind() == EntryVerdict.Kind.OPEN; i++) {
            verdict.denies(writeSets.slotAt(entryId, i));
        }
        return verdict.kind();
    }

    /** Whether fenced members cover every write set. */
    @Benchmark
    public boolean coverWriteSets() {
        entryId++;
        return writeSets.coversEveryWriteSet((int) (entryId & 0b11111));
    }
}
