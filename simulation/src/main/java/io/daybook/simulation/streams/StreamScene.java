// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.plan.StreamPlan;
import io.daybook.simulation.streams.StreamNames.Asked;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.streams.StreamNames.Stay;
import io.daybook.simulation.workload.Stage;
import io.daybook.stream.DLSN;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StreamException;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.StreamWatch.Changed;
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
    private final List<Runnable> atNextRename = new ArrayList<>();
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
        if (isRenamedAndDeleted()) {
            stage.cluster().streamWatch().onCreation(this::made);
            stage.cluster().streamWatch().onChange(this::changed);
            stage.cluster().streamWatch().onDeletion(this::removed);
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
        deletionSettled();
        isGone = true;
    }

    /** Whoever began one knows what came of it. */
    void deletionSettled() {
        deletionsUnderWay--;
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

    /** Whether somebody gives it other names, and somebody deletes it under whatever name. */
    boolean isRenamedAndDeleted() {
        return isRenamed() && plan.deletions() > 0;
    }

    /**
     * How a program opens it under a name. One that may have other names is made before everything else, since whoever finds none under a name that it has left would make another one; where it
     * is deleted too it is made again under its first name when there is none under any.
     */
    OpenMode openMode(String under) {
        boolean mayMake = !isRenamed() || (isRenamedAndDeleted() && under.equals(name) && names.isGone());
        return mayMake ? OpenMode.CREATE_IF_MISSING : OpenMode.MUST_EXIST;
    }

    /** The metadata store has given some stream another name. */
    private void renamed(StreamMetadata before, StreamMetadata after) {
        if (!names.has(before.name())) {
            return;
        }
        if (names.last(after.name()).filter(Stay::isBeingDeleted).isPresent()) {
            count(StreamSituations.NAME_OF_DELETED_TAKEN);
        }
        names.moved(before, after, stage.world().nanoTime());
        if (names.isBack(after.name())) {
            count(StreamSituations.RENAMED_BACK);
        }
        long shift = after.home().numberShift() - before.home().numberShift();
        StreamDetail detail = new StreamDetail.Rename(before.name(), after.name(), shift, after.originSegmentNumber());
        end(begin("metadata", detail), Result.OK, detail);
    }

    /** The metadata store has made some stream. The first one is there from the beginning. */
    private void made(StreamMetadata head) {
        if (!names.all().contains(head.name()) || names.has(head.name())) {
            return;
        }
        if (names.last(head.name()).filter(Stay::isLeft).isPresent()) {
            count(StreamSituations.MADE_WHERE_LEFT);
        }
        names.made(head, stage.world().nanoTime());
        StreamDetail detail = new StreamDetail.Created(head.name(), isStrict(), head.originSegmentNumber());
        end(begin("metadata", detail), Result.OK, detail);
    }

    private void changed(Changed changed) {
        StreamMetadata next = changed.change().head();
        boolean isMarked = changed.before().state() != StreamMetadata.State.DELETING
                && next.state() == StreamMetadata.State.DELETING;
        if (isMarked && names.has(next.name())) {
            names.marked(next.name(), stage.world().nanoTime());
        }
    }

    /** What had the name is not there any more, from the beginning of its deletion on for whoever asks, and from now on for everybody. */
    private void removed(StreamMetadata head) {
        if (names.has(head.name())) {
            Stay gone = names.removed(head.name(), stage.world().nanoTime());
            StreamDetail detail = new StreamDetail.Delete(head.name());
            int call = stage.history().begin("metadata", gone.deletedNanos(), -1, detail);
            end(call, Result.OK, detail);
            isGone = true;
        }
    }

    /** Whether there is one more rename to be tried; it counts as begun. */
    boolean tryRename() {
        boolean isLeft = areRenamesLeft();
        renamesTried += isLeft ? 1 : 0;
        renamesUnderWay += isLeft ? 1 : 0;
        if (isLeft) {
            List<Runnable> waiting = List.copyOf(atNextRename);
            atNextRename.clear();
            waiting.forEach(Runnable::run);
        }
        return isLeft;
    }

    /** Tells when the next rename is begun. */
    void atNextRename(Runnable task) {
        atNextRename.add(task);
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
    void countForeign(Place given) {
        boolean isOfDeleted = !isRenamed() || names.of(given).isBeingDeleted();
        count(isOfDeleted ? StreamSituations.FOREIGN_POSITION : StreamSituations.OLD_POSITION);
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
        return places.isEmpty() ? Optional.empty() : position(places.get(random.below(places.size())), random, under);
    }

    /**
     * A position as it is told under the name, empty where that is another stream's; one of that very name is sometimes taken as it is, whatever became of the stream since, and always when that
     * is gone.
     */
    Optional<DLSN> position(Place place, SimulatedRandom random, String under) {
        boolean isOfName = place.name().equals(under);
        if (!isRenamed() || (isOfName && random.below(AS_IT_IS_ONE_IN) == 0)) {
            return Optional.of(place.position());
        }
        Optional<DLSN> told = names.under(under, place).map(Place::position);
        return told.isEmpty() && isOfName ? Optional.of(place.position()) : told;
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
                && (!isOfDeletion(root) || mayTellOfDeletion(root))
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

    /** As {@link #resultOf} for a call that looked for the stream under a name: it is not there where it had, for some of the time, another, or was gone, and has another one only where it left this. */
    Result resultOf(@Nullable Throwable failure, Asked asked) {
        Throwable root = Failures.rootOf(failure);
        boolean isWrong = (root instanceof StreamException.StreamRenamed && names.isNeverLeft(asked))
                || (root instanceof StreamException.StreamNotFound && names.stayed(asked));
        if (root != null && isRenamed() && isWrong) {
            unexpected(root);
            return Result.UNKNOWN;
        }
        boolean isAway = root instanceof StreamException.StreamNotFound && !names.stayed(asked);
        return isAway ? Result.FAILED : resultOf(failure);
    }

    /** Of one that is renamed too it is known when it was deleted, and to which of its positions that matters ({@link #resultOf(Throwable, Place)}). */
    private boolean mayTellOfDeletion(Throwable root) {
        return isRenamed()
                ? root instanceof StreamException.StreamNotFound && names.isAnyDeleted()
                : deletionsTried > 0;
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
