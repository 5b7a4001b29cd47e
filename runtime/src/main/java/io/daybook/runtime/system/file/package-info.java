// SPDX-License-Identifier: Apache-2.0
/** Disks on the file system of the operating system. */
@NullMarked
package io.daybook.runtime.system.file;

import org.jspecify.annotations.NullMarked;
