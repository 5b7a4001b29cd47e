// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Before a {@code String} parameter of a test: a stream name that nobody else has. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface FreshName {}
