// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Lends a cluster to the tests of a class. It is started before the first test that asks for it and closed after the last. Test methods, life-cycle methods and
 * constructors may take as parameters: the {@link io.daybook.testkit.cluster.LocalCluster}; a {@link io.daybook.stream.Namespace} on it, closed after the test;
 * and a {@link FreshName}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ClusterExtension.class)
public @interface DaybookCluster {
    /** How many bookies it has. */
    int bookies() default 3;
}
