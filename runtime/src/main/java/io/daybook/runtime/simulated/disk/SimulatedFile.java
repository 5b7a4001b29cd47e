// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Invariants;
import io.daybook.runtime.simulated.disk.DiskFaults.Call;
import io.daybook.runtime.simulated.events.SimulatedLoop;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedScheduler;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An open file of a simulated disk. A commit is seen by reads at once, is at risk until it completes, and completes later, now and then inside the
 * call.
 */
final class SimulatedFile implements DiskFile {
    private static final int SECTOR_BYTES = 512;
    private static final int COMMIT_INSIDE_CALL_ONE_IN = 4;

    private final DiskDrive drive;
    private final SimulatedProcess process;
    private final String path;
    private final OpenMode mode;
    private final long fileId;
    private final ArrayDeque<PendingCommit> commits = new ArrayDeque<>();
    private long lastCompletionNanos;
    private boolean closed;

    SimulatedFile(DiskDrive drive, SimulatedProcess process, String path, OpenMode mode, long fileId) {
        this.drive = drive;
        this.process = process;
        this.path = path;
        this.mode = mode;
        this.fileId = fileId;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public int read(long position, ByteBuffer target) {
        requireOpen();
        requirePosition(position);
        drive.faults().failIfPlanned(Call.READ, path);
        int count = drive.image().read(fileId, position, target);
        process.block(drive.drawNanos(drive.quality().readNanos()));
        return count;
    }

    private void requireOpen() {
        process.requireAlive();
        if (closed) {
            throw new DiskException(DiskException.Kind.IO, "'" + path + "' is closed", null);
        }
    }

    private static void requirePosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position " + position + " is negative");
        }
    }

    private void requireWritable() {
        requireOpen();
        if (mode == OpenMode.READ_ONLY) {
            throw readOnly();
        }
    }

    private DiskException readOnly() {
        return new DiskException(DiskException.Kind.IO, "'" + path + "' is open for reading only", null);
    }

    private void requireInBlocks(long position, ByteBuffer source) {
        requirePosition(position);
        int block = drive.quality().blockBytes();
        if (mode == OpenMode.READ_WRITE_DURABLE
                && (position % block != 0 || source.remaining() % block != 0 || isMisaligned(source, block))) {
            throw new IllegalArgumentException("a durable write of " + source.remaining() + " bytes at " + position
                    + " of '" + path + "' is not in blocks of " + block);
        }
    }

    private static boolean isMisaligned(ByteBuffer source, int block) {
        return source.isDirect() && source.alignmentOffset(source.position(), block) != 0;
    }

    @Override
    public void write(long position, ByteBuffer source) {
        requireWritable();
        requireInBlocks(position, source);
        process.operationBegins();
        drive.faults().failIfPlanned(Call.WRITE, path);
        int fitting = fittingBytes(position, source.remaining());
        boolean isFull = fitting < source.remaining();
        if (fitting > 0) {
            change(position, copyOf(source, fitting));
        }
        if (isFull) {
            throw full();
        }
        source.position(source.limit());
        if (mode == OpenMode.READ_WRITE_DURABLE) {
            drive.apply(new DiskOperation.Persist(fileId, drive.image().lastSequence()));
            process.block(drive.drawNanos(drive.quality().syncNanos()));
        } else {
            process.block(drive.drawNanos(drive.quality().writeNanos()));
        }
        process.operationEnds();
    }

    /** How much of a write there is room for: what is in the file already, and whole sectors or blocks of the rest. */
    private int fittingBytes(long position, int bytes) {
        long growth = Math.max(0, position + bytes - drive.image().size(fileId));
        long lacking = growth == 0 ? 0 : growth - drive.freeBytes();
        if (lacking <= 0) {
            return bytes;
        }
        int unit = mode == OpenMode.READ_WRITE_DURABLE ? drive.quality().blockBytes() : SECTOR_BYTES;
        return (int) (Math.max(0, bytes - lacking) / unit * unit);
    }

    private DiskException full() {
        return new DiskException(DiskException.Kind.FULL, "no space left to write '" + path + "'", null);
    }

    private static ByteBuffer copyOf(ByteBuffer source, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        return copy.put(0, source, source.position(), bytes);
    }

    private void change(long position, ByteBuffer bytes) {
        drive.apply(new DiskOperation.Write(fileId, position, bytes));
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        process.scheduler().trace().fold(checksum.getValue());
    }

    @Override
    public void commit(long position, ByteBuffer source, EventLoop loop, CommitHandler handler) {
        requireOpen();
        requireInBlocks(position, source);
        Invariants.require(loop.isInLoop(), "a commit of '{}' was not called on loop {}", path, loop.name());
        process.operationBegins();
        ByteBuffer copy = copyOf(source, source.remaining());
        Optional<DiskException> failure = commitFailure(position, copy.remaining());
        if (failure.isEmpty() || isForgotten(failure.get())) {
            change(position, copy);
        }
        Answer answer = new Answer((SimulatedLoop) loop, handler);
        PendingCommit commit =
                new PendingCommit(drive.image().lastSequence(), source.duplicate(), copy, failure, answer);
        source.position(source.limit());
        complete(commit);
        process.operationEnds();
    }

    private Optional<DiskException> commitFailure(long position, int bytes) {
        if (mode == OpenMode.READ_ONLY) {
            return Optional.of(readOnly());
        }
        if (fittingBytes(position, bytes) < bytes) {
            return Optional.of(full());
        }
        return drive.faults().fails(Call.COMMIT, path)
                ? Optional.of(DiskFaults.error(Call.COMMIT, path))
                : Optional.empty();
    }

    /** Whether a failed commit was begun, so that reads see its bytes although the device may not have them. */
    private boolean isForgotten(DiskException failure) {
        return failure.kind() == DiskException.Kind.IO && mode != OpenMode.READ_ONLY;
    }

    private void complete(PendingCommit commit) {
        long nanos = drive.drawNanos(drive.quality().syncNanos());
        boolean inside = drawsCompletionInsideCall();
        if (inside && commits.isEmpty() && !drive.faults().isStuck()) {
            process.block(nanos);
            end(commit);
            tell(commit);
        } else {
            commits.add(commit);
            completeAfter(nanos, commit);
        }
    }

    private boolean drawsCompletionInsideCall() {
        return SimulatedRandom.below(drive.draw(), COMMIT_INSIDE_CALL_ONE_IN) == 0;
    }

    private void completeAfter(long nanos, PendingCommit commit) {
        SimulatedScheduler scheduler = process.scheduler();
        lastCompletionNanos = Math.max(lastCompletionNanos + 1, scheduler.causalNanos() + nanos);
        scheduler.at(
                lastCompletionNanos,
                SimulatedScheduler.Kind.DISK,
                commit.answer.loop,
                commit.copy.remaining(),
                () -> drive.faults().complete(this::completeNext));
    }

    /** The oldest commit is done: completions come in the order of the calls, however long each takes. */
    private void completeNext() {
        @Nullable PendingCommit commit = process.isAlive() ? commits.poll() : null;
        if (commit != null) {
            end(commit);
            commit.answer.loop.enqueue(() -> tell(commit));
        }
    }

    private void end(PendingCommit commit) {
        if (commit.failure.isEmpty()) {
            drive.apply(new DiskOperation.Persist(fileId, commit.sequence));
        } else if (isForgotten(commit.failure.get())) {
            drive.apply(new DiskOperation.Forget(fileId, commit.sequence, drive.draw()));
        }
        commit.sourceKept = commit.source.equals(commit.copy);
    }

    private void tell(PendingCommit commit) {
        Invariants.require(commit.sourceKept, "the bytes of a commit of '" + path + "' were changed before it ended");
        commit.failure.ifPresentOrElse(commit.answer.handler::failed, commit.answer.handler::committed);
    }

    @Override
    public void sync() {
        requireOpen();
        process.operationBegins();
        long sequence = drive.image().lastSequence();
        if (drive.faults().fails(Call.SYNC, path)) {
            drive.apply(new DiskOperation.Forget(fileId, sequence, drive.draw()));
            throw DiskFaults.error(Call.SYNC, path);
        }
        drive.apply(new DiskOperation.Persist(fileId, sequence));
        process.block(drive.drawNanos(drive.quality().syncNanos()));
        process.operationEnds();
    }

    @Override
    public void truncate(long sizeBytes) {
        requireWritable();
        requirePosition(sizeBytes);
        process.operationBegins();
        if (sizeBytes - size() > drive.freeBytes()) {
            throw full();
        }
        drive.apply(new DiskOperation.Truncate(fileId, sizeBytes));
        process.block(drive.drawNanos(drive.quality().writeNanos()));
        process.operationEnds();
    }

    @Override
    public long size() {
        requireOpen();
        return drive.image().size(fileId);
    }

    @Override
    public void close() {
        closed = true;
    }

    private record Answer(SimulatedLoop loop, CommitHandler handler) {}

    /** A commit on its way to the device. */
    private static final class PendingCommit {
        private final long sequence;
        private final ByteBuffer source;
        private final ByteBuffer copy;
        private final Optional<DiskException> failure;
        private final Answer answer;
        private boolean sourceKept = true;

        private PendingCommit(
                long sequence, ByteBuffer source, ByteBuffer copy, Optional<DiskException> failure, Answer answer) {
            this.sequence = sequence;
            this.source = source;
            this.copy = copy;
            this.failure = failure;
            this.answer = answer;
        }
    }
}
