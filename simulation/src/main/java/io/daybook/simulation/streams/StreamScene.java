// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.plan.StreamPlan;
import io.daybook.simulation.streams.StreamNames.Asked;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.workload.Stage;
import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StreamException;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the programs around one stream share. */
public final class StreamScene {
    private static final int AS_IT_IS_ONE_IN = 4;

    private final Stage stage;
    private final String name;
    private final StreamPlan plan;
    private final StreamNames names;
    private final List<Place> places = new ArrayList<>();
    private final Set<Place> truncations = new HashSet<>();
    private long transactionIdMax;
    private int ownersDone;
    private int deletionsTried;
    private int deletionsUnderWay;
    private int renamesTried;
    private int renamesUnderWay;
    private boolean isGone;
    private boolean isSealed;

    /** For a stream of that name, which its first owner makes, unless it is made before everything else. */
    public StreamScene(Stage stage, String name, StreamPlan plan) {
        this.stage = stage;
        this.name = name;
        this.plan = plan;
        this.names = new StreamNames(isRenamed() ? List.of(name, name + "-b", name + "-c") : List.of(name));
        if (isRenamed()) {
            stage.cluster().streamWatch().onRename(this::renamed);
        }
        int call = begin("plan", new StreamDetail.Created(name, isStrict()));
        end(call, Result.OK, new StreamDetail.Created(name, isStrict()));
    }

    /** The first name of the stream. */
    public String name() {
        return name;
    }

    /** Every name that it has, may have or has had. */
    StreamNames names() {
        return names;
    }

    StreamPlan plan() {
        return plan;
    }

    Stage stage() {
        return stage;
    }

    boolean isStrict() {
        return plan.mode() == io.daybook.stream.StreamOptions.TransactionIdMode.STRICT;
    }

    SimulatedRandom random(String who) {
        return stage.world().random(who + '/' + name);
    }

    // ---- how far the programs are ----

    void ownerDone() {
        ownersDone++;
    }

    boolean isLastOwner() {
        return ownersDone == plan.owners() - 1;
    }

    boolean areOwnersDone() {
        return ownersDone >= plan.owners();
    }

    /** Somebody was told that the stream is sealed. */
    void sealed() {
        isSealed = true;
    }

    /** Whether a reader that is caught up will be told of the end; not where what was sealed may be deleted. */
    boolean mustBeToldOfTheEnd() {
        return isSealed && deletionsTried == 0;
    }

    // ---- its lives ----

    /** Whether there is one more deletion to be tried; it counts as begun. */
    boolean tryDeletion() {
        boolean isLeft = deletionsTried < plan.deletions();
        deletionsTried += isLeft ? 1 : 0;
        deletionsUnderWay += isLeft ? 1 : 0;
        return isLeft;
    }

    /** How many deletions were begun. */
    int deletionsTried() {
        return deletionsTried;
    }

    /** How many deletions take nothing away any more. What was there when fewer were over than are begun now may be of another stream of the name. */
    int deletionsOver() {
        return deletionsTried - deletionsUnderWay;
    }

    /** Somebody was told that there is no stream of the name any more. */
    void deleted() {
        deletionsUnderWay--;
        isGone = true;
    }

    /** Whether nobody is going to delete it any more. */
    boolean areDeletionsDone() {
        boolean areTried = stage.isHealed() || deletionsTried >= plan.deletions();
        return deletionsUnderWay == 0 && areTried;
    }

    /** Whether somebody gives it other names. */
    boolean isRenamed() {
        return plan.renames() > 0;
    }

    /** The metadata store has given some stream another name. */
    private void renamed(StreamMetadata before, StreamMetadata after) {
        if (!names.has(before.name())) {
            return;
        }
        if (names.hasHad(after.name())) {
            count(StreamSituations.RENAMED_BACK);
        }
        names.moved(before, after, stage.world().nanoTime());
        long shift = after.home().numberShift() - before.home().numberShift();
        StreamDetail detail = new StreamDetail.Rename(before.name(), after.name(), shift, after.originSegmentNumber());
        end(begin("metadata", detail), Result.OK, detail);
    }

    /** Whether there is one more rename to be tried; it counts as begun. */
    boolean tryRename() {
        boolean isLeft = areRenamesLeft();
        renamesTried += isLeft ? 1 : 0;
        renamesUnderWay += isLeft ? 1 : 0;
        return isLeft;
    }

    boolean areRenamesLeft() {
        return renamesTried < plan.renames();
    }

    /** How many renames were begun. */
    int renamesTried() {
        return renamesTried;
    }

    /** How many renames may be made yet. */
    int renamesUnderWay() {
        return renamesUnderWay;
    }

    /** Whoever began one knows what came of it. */
    void renameSettled() {
        renamesUnderWay--;
    }

    /** Somebody was told how a position is told under another name. */
    void translated(String process, Place from, Place to) {
        StreamDetail detail = new StreamDetail.Translate(from.name(), from.position(), to.name(), to.position());
        end(begin(process, detail), Result.OK, detail);
    }

    /** A record was acknowledged. */
    void appended() {
        if (isGone) {
            isGone = false;
            count(StreamSituations.MADE_AGAIN);
        }
    }

    /** A position was refused that is of the name, and not of the stream as it has the name now. */
    void countForeign() {
        count(isRenamed() ? StreamSituations.OLD_POSITION : StreamSituations.FOREIGN_POSITION);
    }

    void count(String situation) {
        stage.world().faults().count(situation);
    }

    // ---- what is cut off ----

    /** Somebody truncates it. */
    void truncating(Place to) {
        truncations.add(to);
    }

    /** Whether somebody has truncated it to there. */
    public boolean isTruncation(String under, DLSN to) {
        return truncations.contains(new Place(under, to));
    }

    /** Retention has truncated it to there, at this moment. */
    public void retained(String under, DLSN firstKept) {
        StreamDetail detail = new StreamDetail.Truncate(under, firstKept);
        end(begin("retention", detail), Result.OK, detail);
    }

    /** Whether the stream has that name now. */
    public boolean has(String under) {
        return names.has(under);
    }

    // ---- positions ----

    void known(Place place) {
        places.add(place);
    }

    /** A position that was acknowledged or read, as it is told under the name; sometimes one that was the stream's when it had the name before. */
    Optional<DLSN> anyPosition(SimulatedRandom random, String under) {
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(position(places.get(random.below(places.size())), random, under));
    }

    /** A position as it is told under the name; one of that very name is sometimes taken as it is, whatever became of the stream since. */
    DLSN position(Place place, SimulatedRandom random, String under) {
        if (!isRenamed() || (place.name().equals(under) && random.below(AS_IT_IS_ONE_IN) == 0)) {
            return place.position();
        }
        return names.under(under, place).map(Place::position).orElse(place.position());
    }

    // ---- the history ----

    int begin(String process, StreamDetail detail) {
        return stage.history().begin(process, stage.world().nanoTime(), -1, detail);
    }

    void end(int call, Result result, StreamDetail detail) {
        stage.history().end(call, stage.world().nanoTime(), result, detail);
    }

    /** A record with that transaction id was acknowledged or read. */
    void known(long transactionId) {
        transactionIdMax = Math.max(transactionIdMax, transactionId);
    }

    /** The greatest transaction id that is known, 0 for none. */
    long transactionIdMax() {
        return transactionIdMax;
    }

    /** A record as it was read under a name. */
    Seen seen(String under, PositionedRecord record) {
        known(record.transactionId());
        known(new Place(under, record.position()));
        return new Seen(Value.of(Unpooled.wrappedBuffer(record.payload())), record.transactionId(), record.position());
    }

    /** Whether the stream on which a call was is gone; that is due where somebody deletes it. */
    boolean isGone(@Nullable Throwable failure) {
        return deletionsTried > 0 && Failures.rootOf(failure) instanceof StreamException.StreamNotFound;
    }

    /** What a failure says of the outcome. Whatever a program on a sound stream must never be told is a violation. */
    Result resultOf(@Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root == null) {
            return Result.OK;
        }
        boolean isDue = root instanceof StreamException
                && !(root instanceof StreamException.Bug)
                && !(root instanceof StreamException.Corrupt)
                && (deletionsTried > 0 || !isOfDeletion(root))
                && (isRenamed() || !(root instanceof StreamException.StreamRenamed))
                && !(root instanceof StreamException.StreamExists)
                && !(root instanceof StreamException.TransactionIdOutOfOrder)
                && !(root instanceof StreamException.InvalidOptions);
        if (!isDue) {
            unexpected(root);
            return Result.UNKNOWN;
        }
        return outcomeOf((StreamException) root);
    }

    /** As {@link #resultOf} for a call that looked for the stream under a name: it is not there where it had, for some of the time, another. */
    Result resultOf(@Nullable Throwable failure, Asked asked) {
        boolean isAway = Failures.rootOf(failure) instanceof StreamException.StreamNotFound && !names.stayed(asked);
        return isAway ? Result.FAILED : resultOf(failure);
    }

    /** As {@link #resultOf} for a call that was given a position of a name: it is foreign where the stream had the name before, and has it again. */
    Result resultOf(@Nullable Throwable failure, Place given) {
        boolean isForeign =
                Failures.rootOf(failure) instanceof StreamException.ForeignPosition && names.isOfEarlierTime(given);
        return isForeign ? Result.FAILED : resultOf(failure);
    }

    private static Result outcomeOf(StreamException failure) {
        return failure.outcome() == StreamException.Outcome.FAILED ? Result.FAILED : Result.UNKNOWN;
    }

    /** A program was told what it must not be told here. */
    void unexpected(Throwable failure) {
        stage.violations().add(new Violation("unexpected-failure", -1, -1, "stream=" + name + ' ' + traceOf(failure)));
    }

    private static boolean isOfDeletion(Throwable failure) {
        return failure instanceof StreamException.StreamNotFound || failure instanceof StreamException.ForeignPosition;
    }

    private static String traceOf(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            text.append(", because of ").append(cause);
        }
        return text.toString();
    }
}
