// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.simulation.model.ModelShape;
import io.daybook.simulation.model.ModelState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The register of the model as real metadata; a compare-and-set changes it by the methods of {@link LedgerMetadata} that the program uses. */
final class MetadataOfModel {
    static final long LEDGER_ID = 7;

    private static final LedgerState[] STATES = {LedgerState.OPEN, LedgerState.IN_RECOVERY, LedgerState.CLOSED};

    private MetadataOfModel() {}

    static BookieId bookie(int number) {
        return new BookieId(0, number);
    }

    /** What metadata is in a state. */
    static LedgerMetadata of(ModelState state) {
        ModelShape shape = state.shape;
        List<Fragment> fragments = new ArrayList<>();
        for (int i = 0; i < state.v[ModelShape.FRAGMENTS]; i++) {
            fragments.add(new Fragment(state.v[shape.fragmentFirst + i], ensemble(state, shape.ensemble(i))));
        }
        LedgerState register = STATES[state.v[ModelShape.METADATA]];
        return new LedgerMetadata(
                LEDGER_ID,
                shape.config.quorums(),
                DigestType.CRC32C,
                register,
                register == LedgerState.CLOSED ? state.v[ModelShape.END] - 1 : -1,
                0,
                fragments,
                Map.of(),
                0,
                WriteToken.NONE);
    }

    /** What a step makes of metadata; throws {@link IllegalArgumentException} when metadata refuses that. */
    static LedgerMetadata changed(LedgerMetadata now, Step step, ModelState before, ModelState after) {
        ModelShape shape = before.shape;
        return switch (step.kind()) {
            case WRITE_CHANGE ->
                now.withEnsemble(
                        before.v[ModelShape.CHANGE_FIRST], ensemble(before, shape.targetEnsemble), WriteToken.NONE);
            case WRITER_CLOSES -> now.withClosed(step.first() - 1, 0, now.fragments(), WriteToken.NONE);
            case BEGIN_RECOVERY -> now.withRecovery(WriteToken.NONE);
            case RECOVERY_CLOSES ->
                now.withClosed(
                        step.second() - 1,
                        0,
                        withPrivate(now, before, step.first()).fragments(),
                        WriteToken.NONE);
            case REPLACE -> isStored(before, after) ? withPrivate(now, after, step.first()) : now;
            default -> now;
        };
    }

    /** A recoverer's replacement reached metadata at once. */
    private static boolean isStored(ModelState before, ModelState after) {
        return !of(before).equals(of(after));
    }

    private static LedgerMetadata withPrivate(LedgerMetadata now, ModelState state, int recoverer) {
        int first = state.recoverer(recoverer, ModelShape.PRIVATE_FIRST);
        return first == 0
                ? now
                : now.withEnsemble(first - 1, ensemble(state, state.shape.privateEnsemble(recoverer)), WriteToken.NONE);
    }

    private static List<BookieId> ensemble(ModelState state, int at) {
        return IntStream.range(0, state.shape.ensembleSize)
                .mapToObj(slot -> bookie(state.v[at + slot]))
                .toList();
    }
}
