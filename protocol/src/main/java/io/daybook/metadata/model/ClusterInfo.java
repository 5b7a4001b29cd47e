// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * What a cluster is.
 *
 * @param clusterId minted when the cluster is initialised; never changes
 * @param createdMillis wall-clock time of that, for display only
 */
public record ClusterInfo(ClusterId clusterId, long createdMillis) {}
