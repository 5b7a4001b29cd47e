// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.bookie.ExitCode;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.ledger.handle.Situations;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.workload.LedgerSituations;
import io.daybook.simulation.workload.Stage;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.judge.HistoryChecker;
import io.daybook.testkit.simulated.SimulatedCluster;
import io.daybook.testkit.simulated.SimulatedCluster.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Says what was wrong with a run that is over. */
final class Judgement {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    /** Far more often than any run of this size has reason to. */
    private static final long SITUATIONS_PER_SECOND_MAX = 200;

    private static final long SITUATIONS_MAX = 2_000;
    /**
     * Some are reached once for each entry: recoverers that can never end try again and again, with a pause, and copy so many each time; where an index has room
     * for a handful of rows, almost each entry that is read brings a page; whoever gave an entry beyond a gap and was refused tries again.
     */
    private static final List<String> ONCE_AN_ENTRY =
            List.of(Situations.RECOVERY_COPIES_ENTRY, PageCache.READ_AGAIN, LedgerSituations.NO_ROOM_BEYOND_GAP);

    private static final int ENTRIES_A_TIME = 20;

    /** After the end of all faults what was begun before them may still suffer from them. */
    private static final long SETTLING_NANOS = 5 * SECOND;
    /** No call makes more than so many rounds, each of which ends by a time-out at the latest. */
    private static final int ROUNDS_MAX = 4;

    private static final long SLACK_NANOS = 5 * SECOND;

    private final Plan plan;
    private final List<Violation> violations = new ArrayList<>();

    private Judgement(Plan plan) {
        this.plan = plan;
    }

    /** Everything that was wrong; {@code seen} is what was noticed while it ran, {@code healedNanos} when all faults had ended. */
    static List<Violation> of(Plan plan, Stage stage, List<Violation> seen, long healedNanos) {
        Judgement judgement = new Judgement(plan);
        judgement.violations.addAll(seen);
        judgement.violations.addAll(stage.violations());
        judgement.violations.addAll(stage.monitor().violations());
        SimulatedCluster cluster = stage.cluster();
        judgement.violations.addAll(cluster.transitions().violations());
        judgement.violations.addAll(HistoryChecker.check(stage.history()));
        Stream.concat(cluster.fences().violations().stream(), cluster.entries().violations().stream())
                .filter(violation -> !stage.mayBeForgotten(violation.ledgerId()))
                .forEach(judgement.violations::add);
        judgement.judgeBookies(cluster);
        judgement.judgeSituations(
                stage.world().faults().reached(), stage.world().nanoTime());
        judgement.judgeDurations(stage.history().calls(), healedNanos);
        return judgement.violations;
    }

    private void judgeBookies(SimulatedCluster cluster) {
        cluster.wrongs().forEach(wrong -> violations.add(new Violation("identity", -1, -1, wrong)));
        cluster.endings().stream()
                .filter(Judgement::isWrong)
                .forEach(ending -> violations.add(new Violation("bookie-ending", -1, -1, ending.toString())));
    }

    /** A bookie may end when a disk of its own or the metadata store fails it, and for no other reason. */
    private static boolean isWrong(Ending ending) {
        return !ending.isDue() && ending.exitCode() != ExitCode.METADATA.code();
    }

    private void judgeSituations(SortedMap<String, Long> reached, long nanos) {
        long most = SITUATIONS_MAX + SITUATIONS_PER_SECOND_MAX * (nanos / SECOND);
        reached.forEach((situation, count) -> {
            long times = ONCE_AN_ENTRY.contains(situation) ? ENTRIES_A_TIME : 1;
            if (count > most * times) {
                violations.add(new Violation("hot-loop", -1, -1, situation + " was reached " + count + " times"));
            }
        });
    }

    /** V7: on a healthy cluster every call ends within its time-outs. A reading of the whole is many calls, and has a bound of its own. */
    private void judgeDurations(List<Call> calls, long healedNanos) {
        long timeout = Math.max(plan.knobs().addMillis(), plan.knobs().readMillis()) * MILLI;
        long most = ROUNDS_MAX * timeout + SLACK_NANOS;
        for (Call call : calls) {
            if (call.invokedNanos() > healedNanos + SETTLING_NANOS
                    && call.result() != Call.Result.PENDING
                    && !(call.detail() instanceof Call.FinalLog)
                    && !(call.detail() instanceof StreamDetail.FinalStream)
                    && call.endedNanos() - call.invokedNanos() > most) {
                violations.add(new Violation(
                        "call-duration",
                        call.ledgerId(),
                        -1,
                        call.process() + " waited " + (call.endedNanos() - call.invokedNanos()) / MILLI
                                + " ms on a healthy cluster: " + call.detail()));
            }
        }
    }
}
