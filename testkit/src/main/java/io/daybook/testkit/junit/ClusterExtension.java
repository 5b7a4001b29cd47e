// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.junit;

import io.daybook.stream.Namespace;
import io.daybook.testkit.cluster.LocalCluster;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

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
        ExtensionContext owner = annotated(test);
        Class<?> type = owner.getRequiredTestClass();
        // The context of the class, not of one of its tests: it lasts until the last test.
        while (owner.getParent().filter(parent -> isOf(parent, type)).isPresent()) {
            owner = owner.getParent().get();
        }
        int bookies = type.getAnnotation(DaybookCluster.class).bookies();
        return owner.getStore(STORE)
                .getOrComputeIfAbsent(
                        LocalCluster.class,
                        key -> LocalCluster.builder().bookies(bookies).start(),
                        LocalCluster.class);
    }

    /** The nearest context whose class has the annotation: tests of a nested class use the cluster of the outer one. */
    private static ExtensionContext annotated(ExtensionContext test) {
        Optional<ExtensionContext> next = Optional.of(test);
        while (next.isPresent()) {
            ExtensionContext context = next.get();
            if (context.getTestClass()
                    .filter(type -> type.isAnnotationPresent(DaybookCluster.class))
                    .isPresent()) {
                return context;
            }
            next = context.getParent();
        }
        throw new IllegalStateException(test.getRequiredTestClass() + " has no @DaybookCluster");
    }

    private static boolean isOf(ExtensionContext context, Class<?> type) {
        return context.getTestClass().filter(type::equals).isPresent();
    }
}
