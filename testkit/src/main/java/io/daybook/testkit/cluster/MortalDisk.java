// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * A disk that its owner can be cut off from: calls under way end first, later ones fail, files and directory locks are given back.
 *
 * <p><i>Threading:</i> calls share a lock that {@link #die} takes alone. Dying from inside a call would wait for itself.
 */
final class MortalDisk implements Disk {
    private final Disk disk;
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private final Set<AutoCloseable> held = ConcurrentHashMap.newKeySet();
    private boolean dead;

    MortalDisk(Disk disk) {
        this.disk = disk;
    }

    /** Cuts the owner off. Idempotent. */
    void die() {
        life.writeLock().lock();
        try {
            dead = true;
            held.forEach(MortalDisk::giveBack);
            held.clear();
        } finally {
            life.writeLock().unlock();
        }
    }

    private static void giveBack(AutoCloseable thing) {
        if (thing instanceof DiskFile file) {
            file.close();
        } else if (thing instanceof DirectoryLock lock) {
            lock.close();
        }
    }

    private <T> T alive(Supplier<T> call) {
        life.readLock().lock();
        try {
            if (dead) {
                throw new MortalHost.HostDied("the owner of this disk is dead");
            }
            return call.get();
        } finally {
            life.readLock().unlock();
        }
    }

    private void aliveDo(Runnable call) {
        alive(() -> {
            call.run();
            return true;
        });
    }

    @Override
    public DiskFile open(String path, OpenMode mode) {
        return alive(() -> {
            DiskFile file = disk.open(path, mode);
            held.add(file);
            return new MortalFile(file);
        });
    }

    @Override
    public boolean exists(String path) {
        return alive(() -> disk.exists(path));
    }

    @Override
    public List<String> list(String directory) {
        return alive(() -> disk.list(directory));
    }

    @Override
    public void createDirectories(String directory) {
        aliveDo(() -> disk.createDirectories(directory));
    }

    @Override
    public void rename(String from, String to) {
        aliveDo(() -> disk.rename(from, to));
    }

    @Override
    public void delete(String path) {
        aliveDo(() -> disk.delete(path));
    }

    @Override
    public void syncDirectory(String directory) {
        aliveDo(() -> disk.syncDirectory(directory));
    }

    @Override
    public long usableBytes(String directory) {
        return alive(() -> disk.usableBytes(directory));
    }

    @Override
    public long totalBytes(String directory) {
        return alive(() -> disk.totalBytes(directory));
    }

    @Override
    public int blockBytes() {
        return disk.blockBytes();
    }

    @Override
    public DirectoryLock lock(String directory) {
        DirectoryLock lock = alive(() -> {
            DirectoryLock taken = disk.lock(directory);
            held.add(taken);
            return taken;
        });
        return new MortalLock(lock);
    }

    /** A directory that is given back with its disk at the latest. */
    private final class MortalLock implements DirectoryLock {
        private final DirectoryLock lock;

        MortalLock(DirectoryLock lock) {
            this.lock = lock;
        }

        @Override
        public String place() {
            return lock.place();
        }

        @Override
        public void close() {
            if (held.remove(lock)) {
                lock.close();
            }
        }
    }

    /** A file that ends with its disk. */
    private final class MortalFile implements DiskFile {
        private final DiskFile file;

        MortalFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public String path() {
            return file.path();
        }

        @Override
        public int read(long position, ByteBuffer target) {
            return alive(() -> file.read(position, target));
        }

        @Override
        public void write(long position, ByteBuffer source) {
            aliveDo(() -> file.write(position, source));
        }

        @Override
        public void commit(long position, ByteBuffer source, EventLoop loop, CommitHandler handler) {
            aliveDo(() -> file.commit(position, source, loop, new LivingHandler(handler)));
        }

        @Override
        public void sync() {
            aliveDo(file::sync);
        }

        @Override
        public void truncate(long sizeBytes) {
            aliveDo(() -> file.truncate(sizeBytes));
        }

        @Override
        public long size() {
            return alive(file::size);
        }

        @Override
        public void close() {
            if (held.remove(file)) {
                file.close();
            }
        }
    }

    /** Told of a commit only while the owner lives. */
    private final class LivingHandler implements DiskFile.CommitHandler {
        private final DiskFile.CommitHandler handler;

        LivingHandler(DiskFile.CommitHandler handler) {
            this.handler = handler;
        }

        @Override
        public void committed() {
            aliveDo(handler::committed);
        }

        @Override
        public void failed(DiskException failure) {
            aliveDo(() -> handler.failed(failure));
        }
    }
}
