// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a command that never talks to the cluster that {@code --namespace} names: it has no such option, and none for the key of its streams. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface WithoutCluster {}
