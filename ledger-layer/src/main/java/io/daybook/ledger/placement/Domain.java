// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

/** The fault domains of a bookie. */
record Domain(String rack, String region) {
    /** Of a label such as {@code r7} or {@code eu-1/r7}; of none when it is empty. */
    static Domain of(String label) {
        int slash = label.indexOf('/');
        return new Domain(label, slash < 0 ? "" : label.substring(0, slash));
    }
}
