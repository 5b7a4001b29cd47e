// SPDX-License-Identifier: Apache-2.0
/** The ledger protocol as an abstract state machine: its constants, states, steps and properties; docs/protocol.md explains it. */
@NullMarked
package io.daybook.simulation.model;

import org.jspecify.annotations.NullMarked;
