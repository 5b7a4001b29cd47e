// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

/** The fault points of the ledger layer: each re-plants a known defect of systems of this kind (docs/INVARIANTS.md), so that the simulator can prove that it finds it. */
public final class Defects {
    /** Recovery reads do not fence. */
    public static final String FENCE_GAP = "D1-fence-gap";
    /** Recovery starts below the last fragment. */
    public static final String BELOW_LAST_FRAGMENT = "D2-below-last-fragment";
    /** One denial proves absence. */
    public static final String ONE_DENIAL_DECIDES = "D3-one-denial-decides";
    /** Recovery stores its ensemble change before its copies are complete. */
    public static final String EARLY_ENSEMBLE_COMMIT = "D4-early-ensemble-commit";
    /** Recovery reads from the ensemble it has changed. */
    public static final String READS_CHANGED_ENSEMBLE = "D5-reads-changed-ensemble";
    /** Recovery raises the last add confirmed in the entries that it copies. */
    public static final String RAISED_CONFIRMED = "D6-raised-confirmed";
    /** The writer uses an ensemble before metadata holds it. */
    public static final String UNRECORDED_ENSEMBLE = "D7-unrecorded-ensemble";
    /** Acknowledgements of replaced members are counted. */
    public static final String STALE_ACKS = "D8-stale-acks";
    /** A metadata conflict is always taken for somebody else's write. */
    public static final String OWN_WRITE_IS_FOREIGN = "D18-own-write-is-foreign";

    private Defects() {}
}
