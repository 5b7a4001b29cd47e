// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.storage;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import java.nio.ByteBuffer;
import java.util.List;

/** A host whose disks count what goes through them. */
final class CountingHost implements Host.Forwarding {
    private final Host host;
    private final DiskTraffic traffic;

    CountingHost(Host host, DiskTraffic traffic) {
        this.host = host;
        this.traffic = traffic;
    }

    @Override
    public Host host() {
        return host;
    }

    @Override
    public Disk disk(String rootPath) {
        return new CountingDisk(host.disk(rootPath), traffic);
    }

    /** A disk that counts. */
    private record CountingDisk(Disk disk, DiskTraffic traffic) implements Disk {
        @Override
        public DiskFile open(String path, OpenMode mode) {
            return new CountingFile(disk.open(path, mode), DiskTraffic.Kind.of(path), traffic);
        }

        @Override
        public boolean exists(String path) {
            return disk.exists(path);
        }

        @Override
        public List<String> list(String directory) {
            return disk.list(directory);
        }

        @Override
        public void createDirectories(String directory) {
            disk.createDirectories(directory);
        }

        @Override
        public void rename(String from, String to) {
            disk.rename(from, to);
        }

        @Override
        public void delete(String path) {
            disk.delete(path);
        }

        @Override
        public void syncDirectory(String directory) {
            disk.syncDirectory(directory);
        }

        @Override
        public long usableBytes(String directory) {
            return disk.usableBytes(directory);
        }

        @Override
        public long totalBytes(String directory) {
            return disk.totalBytes(directory);
        }

        @Override
        public int blockBytes() {
            return disk.blockBytes();
        }

        @Override
        public DirectoryLock lock(String directory) {
            return disk.lock(directory);
        }
    }

    /** A file that counts. */
    private record CountingFile(DiskFile file, DiskTraffic.Kind kind, DiskTraffic traffic) implements DiskFile {
        @Override
        public String path() {
            return file.path();
        }

        @Override
        public int read(long position, ByteBuffer target) {
            int bytes = file.read(position, target);
            traffic.read(kind, bytes);
            return bytes;
        }

        @Override
        public void write(long position, ByteBuffer source) {
            traffic.wrote(kind, source.remaining());
            file.write(position, source);
        }

        @Override
        public void commit(long position, ByteBuffer source, EventLoop loop, CommitHandler handler) {
            traffic.wrote(kind, source.remaining());
            file.commit(position, source, loop, handler);
        }

        @Override
        public void sync() {
            file.sync();
        }

        @Override
        public void truncate(long sizeBytes) {
            file.truncate(sizeBytes);
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
