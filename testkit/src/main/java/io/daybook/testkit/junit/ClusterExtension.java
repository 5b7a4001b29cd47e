// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.junit;

import io.daybook.stream.Namespace;
import io.daybook.testkit.cluster.LocalCluster;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Gives the parameters that {@link DaybookCluster} promises. What it opens is kept in JUnit's stores, which close it. */
final class ClusterExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(ClusterExtension.class);
    private static final AtomicLong NAMES = new AtomicLong();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        return type == LocalCluster.class
                || type == Namespace.class
                || (type == String.class && parameter.isAnnotated(FreshName.class));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        if (type == LocalCluster.class) {
            return cluster(test);
        }
        if (type == Namespace.class) {
            String uri = cluster(test).uri().toString();
            return test.getStore(STORE)
                    .getOrComputeIfAbsent(Namespace.class, key -> Namespace.open(uri), Namespace.class);
        }
        String owner = test.getTestClass().map(Class::getSimpleName).orElse("test");
        return owner.toLowerCase(Locale.ROOT) + "-" + NAMES.incrementAndGet();
    }

    private static LocalCluster cluster(ExtensionContext test) {
        ExtensionContext owner = test;
        while (owner.getParent().isPresent() && annotationOf(owner.getParent().get())) {
            owner = owner.getParent().get();
        }
        Class<?> type = owner.getRequiredTestClass();
        int bookies = AnnotationSupport.findAnnotation(type, DaybookCluster.class)
                .map(DaybookCluster::bookies)
                .orElseThrow(() -> new IllegalStateException(type + " has no @DaybookCluster"));
        return owner.getStore(STORE)
                .getOrComputeIfAbsent(
                        LocalCluster.class,
                        key -> LocalCluster.builder().bookies(bookies).start(),
                        LocalCluster.class);
    }

    private static boolean annotationOf(ExtensionContext context) {
        return context.getTestClass()
                .flatMap(type -> AnnotationSupport.findAnnotation(type, DaybookCluster.class))
                .isPresent();
    }
}
