// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import io.daybook.runtime.Invariants;
import io.daybook.runtime.simulated.disk.StoredDirectory.NameChange;
import io.daybook.runtime.simulated.disk.StoredFile.Change;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a disk holds: durable bytes and names, and every later change that a crash may still undo. Knows no time and no faults. */
public final class DiskImage {
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private final TreeMap<String, StoredDirectory> directories = new TreeMap<>();
    private final Map<Long, StoredFile> files = new HashMap<>();
    private long nextFileId = 1;
    private long nextSequence = 1;
    /** Asked so often that it is counted along. */
    private long usedBytes;

    /** An empty disk: its root and nothing else. */
    public DiskImage() {
        directories.put("", new StoredDirectory());
    }

    /** An independent disk that holds the same. */
    public DiskImage copy() {
        DiskImage copy = new DiskImage();
        directories.forEach((path, directory) -> copy.directories.put(path, directory.copy()));
        files.forEach((id, file) -> copy.files.put(id, file.copy()));
        copy.nextFileId = nextFileId;
        copy.nextSequence = nextSequence;
        copy.usedBytes = usedBytes;
        return copy;
    }

    static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    boolean isDirectory(String path) {
        return directories.containsKey(path);
    }

    /** The number of the file with that name, if there is one. */
    OptionalLong fileId(String path) {
        @Nullable StoredDirectory parent = directories.get(parentOf(path));
        @Nullable Long id = parent == null ? null : parent.current().get(nameOf(path));
        return id == null ? OptionalLong.empty() : OptionalLong.of(id);
    }

    List<String> list(String directory) {
        TreeSet<String> names = new TreeSet<>(directory(directory).current().keySet());
        for (String path : directories.keySet()) {
            if (!path.isEmpty() && parentOf(path).equals(directory)) {
                names.add(nameOf(path));
            }
        }
        return List.copyOf(names);
    }

    long size(long fileId) {
        return file(fileId).current().size();
    }

    int read(long fileId, long position, ByteBuffer target) {
        return file(fileId).current().read(position, target);
    }

    /** Whether there is a file of that path. */
    public boolean has(String path) {
        return fileId(path).isPresent();
    }

    /** The paths of all files, in order. */
    public List<String> files() {
        List<String> paths = new ArrayList<>();
        directories.forEach((path, directory) ->
                directory.current().keySet().forEach(name -> paths.add(path.isEmpty() ? name : path + '/' + name)));
        return paths;
    }

    /** The bytes of a file; 0 when there is none of that name. */
    public long sizeOf(String path) {
        OptionalLong id = fileId(path);
        return id.isPresent() ? size(id.getAsLong()) : 0;
    }

    /** Bytes of all files that have a name. */
    public long usedBytes() {
        return usedBytes;
    }

    /** The bytes of a file that no crash takes away; empty when the name itself is not durable. */
    public byte[] durableBytes(String path) {
        @Nullable StoredDirectory parent = directories.get(parentOf(path));
        @Nullable Long id = parent == null ? null : parent.durable().get(nameOf(path));
        if (id == null) {
            return new byte[0];
        }
        FileBytes durable = file(id).durable();
        ByteBuffer bytes = ByteBuffer.allocate((int) durable.size());
        durable.read(0, bytes);
        return bytes.array();
    }

    /** The number of the newest change so far. */
    long lastSequence() {
        return nextSequence - 1;
    }

    /** How many changes a crash may still undo. */
    public int unsyncedCount() {
        return unsynced().size();
    }

    private record Unsynced(long sequence, boolean isName) {}

    private List<Unsynced> unsynced() {
        Stream<Unsynced> names = directories.values().stream()
                .flatMap(directory -> directory.unsynced().stream())
                .map(change -> new Unsynced(change.sequence(), true));
        Stream<Unsynced> bytes = files.values().stream()
                .flatMap(file -> file.unsynced().stream())
                .map(change -> new Unsynced(change.sequence(), false));
        List<Unsynced> all = new ArrayList<>(Stream.concat(names, bytes).toList());
        all.sort((a, b) -> Long.compare(a.sequence, b.sequence));
        return all;
    }

    /** The disk as it is found after a crash: everything on it is durable. */
    public DiskImage afterCrash(Survivors survivors) {
        List<Unsynced> unsynced = unsynced();
        Map<Long, Fate> fates = new HashMap<>();
        for (int i = 0; i < unsynced.size(); i++) {
            Unsynced change = unsynced.get(i);
            fates.put(change.sequence, survivors.fateOf(i, unsynced.size(), change.isName));
        }
        DiskImage left = new DiskImage();
        directories.forEach((path, directory) -> left.directories.put(
                path, directory.afterCrash(change -> fates.getOrDefault(change.sequence(), Fate.LOST))));
        for (StoredDirectory directory : left.directories.values()) {
            for (long id : directory.current().values()) {
                StoredFile file = file(id).afterCrash(
                                change -> fates.getOrDefault(change.sequence(), Fate.LOST), survivors.seed());
                left.files.put(id, file);
                left.usedBytes += file.current().size();
            }
        }
        left.nextFileId = nextFileId;
        left.nextSequence = nextSequence;
        return left;
    }

    private StoredDirectory directory(String path) {
        @Nullable StoredDirectory directory = directories.get(path);
        if (directory == null) {
            throw new IllegalStateException("no directory '" + path + "'");
        }
        return directory;
    }

    private StoredFile file(long fileId) {
        @Nullable StoredFile file = files.get(fileId);
        if (file == null) {
            throw new IllegalStateException("no file " + fileId);
        }
        return file;
    }

    void createDirectories(String path) {
        if (!path.isEmpty()) {
            createDirectories(parentOf(path));
        }
        directories.computeIfAbsent(path, missing -> new StoredDirectory());
    }

    void create(String path) {
        long fileId = nextFileId++;
        files.put(fileId, new StoredFile());
        change(parentOf(path), new NameChange(nextSequence++, "", nameOf(path), fileId));
    }

    void rename(String from, String to) {
        long fileId = fileId(from).orElseThrow();
        Invariants.require(parentOf(from).equals(parentOf(to)), "a rename stays in its directory");
        change(parentOf(from), new NameChange(nextSequence++, nameOf(from), nameOf(to), fileId));
    }

    void delete(String path) {
        long fileId = fileId(path).orElseThrow();
        change(parentOf(path), new NameChange(nextSequence++, nameOf(path), "", fileId));
    }

    private void change(String directory, NameChange change) {
        @Nullable Long left = directory(directory).change(change);
        if (left != null) {
            usedBytes -= file(left).current().size();
            file(left).loseName();
        }
    }

    void syncDirectory(String path) {
        directory(path).sync();
    }

    void write(long fileId, long position, ByteBuffer bytes) {
        change(fileId, new Change(nextSequence++, position, bytes, false));
    }

    void truncate(long fileId, long sizeBytes) {
        change(fileId, new Change(nextSequence++, sizeBytes, NO_BYTES, true));
    }

    private void change(long fileId, Change change) {
        StoredFile file = file(fileId);
        long before = file.current().size();
        file.change(change);
        if (file.isNamed()) {
            usedBytes += file.current().size() - before;
        }
    }

    void persist(long fileId, long sequence) {
        file(fileId).persist(sequence);
    }

    void forget(long fileId, long sequence, long seed) {
        file(fileId).forget(sequence, seed);
    }

    void rot(long fileId, long position, int mask) {
        file(fileId).durable().flipBits(position, mask);
        file(fileId).current().flipBits(position, mask);
    }
}
