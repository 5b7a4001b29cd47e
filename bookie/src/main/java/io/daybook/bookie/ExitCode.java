// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

/** How a bookie process ends when it cannot do its work. The numbers are documented and never reused. */
public enum ExitCode {
    /** The directories are not this bookie's: missing, not formatted, foreign, swapped, mixed, of another cluster. */
    IDENTITY(10),
    /** Another process uses the directories, or is registered as this bookie. */
    IN_USE(11),
    /** The endpoint cannot be listened on. */
    PORT(12),
    /** The metadata store did not answer or refused. */
    METADATA(13),
    /** The journal lost records that were durable once. */
    JOURNAL_DAMAGED(14),
    /** A directory cannot be read or written. */
    DISK(15),
    /** The slabs, or what a start needs, do not fit into memory. */
    MEMORY(16),
    /** A setting does not fit the device. */
    SETTINGS(17),
    /** While running: a write to the journal failed. Nothing after it was acknowledged. */
    JOURNAL_FAILED(20),
    /** While running: entries could not be moved out of the journal. They are safe in the journal. */
    STORAGE_FAILED(21),
    /** While running: what must always hold does not; a bug or damaged memory. */
    VIOLATION(22),
    /** While running: another process is registered as this bookie. What was acknowledged before is safe here. */
    REPLACED(23),
    /** While stopping: something did not end in time, such as a write to a device that hangs. What was acknowledged is safe. */
    STOP_HUNG(24);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** The number given to the operating system. */
    public int code() {
        return code;
    }
}
