// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * A value as a store held it.
 *
 * @param version rises with every change of the value; compare-and-set names the version that it replaces
 */
public record Versioned<T>(T value, long version) {}
