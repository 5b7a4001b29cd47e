// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

/**
 * Over how many fault domains the copies of each entry are spread. The label of a bookie is its rack; what stands before a slash in it is its region.
 * Bookies without a label are in one rack.
 *
 * @param racksMin racks in each write set, as far as the write quorum allows
 * @param regionsMin regions in each write set, as far as the write quorum allows
 * @param isEnforced whether no ensemble is made at all when that is impossible; else it is spread as well as can be
 */
public record PlacementRules(int racksMin, int regionsMin, boolean isEnforced) {}
