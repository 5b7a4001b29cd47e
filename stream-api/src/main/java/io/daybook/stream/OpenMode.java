// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

/** What {@link Namespace#openStream} does about a stream that exists or not. */
public enum OpenMode {
    /** It must exist. */
    MUST_EXIST,
    /** It is created when it does not exist. */
    CREATE_IF_MISSING,
    /** It must not exist and is created. */
    CREATE_NEW
}
