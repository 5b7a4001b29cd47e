// SPDX-License-Identifier: Apache-2.0
/** What every implementation of the metadata stores promises, as test suites to extend. */
package io.daybook.metadata.contract;
