// SPDX-License-Identifier: Apache-2.0
package io.daybook;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The map of the project, as rules over the bytecode of all modules. Think about the layering before you change this file. */
@AnalyzeClasses(packages = "io.daybook", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final int CLASSES_PER_PACKAGE_MAX = 15;

    /** The only packages with threads, clocks, files and sockets. Everything else is deterministic. */
    private static final String[] EDGES = {
        "io.daybook.runtime.system..",
        "io.daybook.namespace.zk..",
        "io.daybook.testkit.cluster..",
        "io.daybook.testkit.junit..",
        "io.daybook.simulation.torture..",
        "io.daybook.cli..",
        "io.daybook.benchmarks..",
        "io.daybook.tutorials.."
    };

    /** Edges that nobody builds on. */
    private static final String[] PROGRAMS = {
        "io.daybook.simulation.torture..", "io.daybook.cli..", "io.daybook.benchmarks..", "io.daybook.tutorials.."
    };

    private static final String[] PARTS = {
        "io.daybook.ledger.(*)..", "io.daybook.bookie.(*)..", "io.daybook.stream.core.(*).."
    };

    private static final String[] GENERATED = {"io.daybook..generated..", "io.daybook..jmh_generated.."};

    // ---- layers ----

    @ArchTest
    static final ArchRule layersPointDownwards = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("stream-api")
            .definedBy("io.daybook.stream")
            .layer("protocol")
            .definedBy("io.daybook.protocol..", "io.daybook.metadata..")
            .layer("runtime")
            .definedBy("io.daybook.runtime..")
            .layer("ledger-layer")
            .definedBy("io.daybook.ledger..")
            .layer("bookie")
            .definedBy("io.daybook.bookie..")
            .layer("namespace-zk")
            .definedBy("io.daybook.namespace.zk..")
            .layer("stream-core")
            .definedBy("io.daybook.stream.core..")
            .layer("testkit")
            .definedBy("io.daybook.testkit..")
            .layer("simulation")
            .definedBy("io.daybook.simulation..")
            .layer("benchmarks")
            .definedBy("io.daybook.benchmarks..")
            .layer("tutorials")
            .definedBy("io.daybook.tutorials..")
            .layer("cli")
            .definedBy("io.daybook.cli..")
            .whereLayer("stream-api")
            .mayNotAccessAnyLayer()
            .whereLayer("protocol")
            .mayNotAccessAnyLayer()
            .whereLayer("runtime")
            .mayNotAccessAnyLayer()
            .whereLayer("ledger-layer")
            .mayOnlyAccessLayers("protocol", "runtime")
            .whereLayer("bookie")
            .mayOnlyAccessLayers("protocol", "runtime")
            .whereLayer("namespace-zk")
            .mayOnlyAccessLayers("protocol")
            .whereLayer("stream-core")
            .mayOnlyAccessLayers("stream-api", "ledger-layer", "protocol", "runtime")
            .whereLayer("testkit")
            .mayOnlyAccessLayers("stream-api", "bookie", "namespace-zk", "protocol", "runtime")
            .whereLayer("simulation")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("benchmarks")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("tutorials")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule everyClassIsInALayer = classes()
            .should()
            .resideInAnyPackage(
                    "io.daybook.stream..",
                    "io.daybook.protocol..",
                    "io.daybook.metadata..",
                    "io.daybook.runtime..",
                    "io.daybook.ledger..",
                    "io.daybook.bookie..",
                    "io.daybook.namespace.zk..",
                    "io.daybook.testkit..",
                    "io.daybook.simulation..",
                    "io.daybook.benchmarks..",
                    "io.daybook.tutorials..",
                    "io.daybook.cli..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.daybook.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule partsOfTheLedgerLayerDoNotSeeTheirRoot = partsDoNotSeeTheirRoot("io.daybook.ledger");

    @ArchTest
    static final ArchRule partsOfTheBookieDoNotSeeTheirRoot = partsDoNotSeeTheirRoot("io.daybook.bookie");

    @ArchTest
    static final ArchRule partsOfTheStreamCoreDoNotSeeTheirRoot = partsDoNotSeeTheirRoot("io.daybook.stream.core");

    private static ArchRule partsDoNotSeeTheirRoot(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + ".(*)..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root)
                .because("the root assembles parts; a part is given what it needs");
    }

    @ArchTest
    static final ArchRule partsSeePortsOnly = noClasses()
            .that()
            .resideInAnyPackage(PARTS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.daybook.runtime.system..")
            .because("the same part runs on the real machine and under the simulator");

    @ArchTest
    static final ArchRule productionNeverSeesTheSimulator = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.daybook.runtime.system..",
                    "io.daybook.ledger..",
                    "io.daybook.bookie..",
                    "io.daybook.stream.core..",
                    "io.daybook.namespace.zk..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.daybook.runtime.simulated..");

    @ArchTest
    static final ArchRule streamApiNeedsOnlyTheJdk = classes()
            .that()
            .resideInAPackage("io.daybook.stream")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify.annotations..", "io.daybook.stream");

    @ArchTest
    static final ArchRule onlyTheNamespaceAndItsLaunchersKnowZooKeeper = noClasses()
            .that()
            .resideOutsideOfPackages("io.daybook.namespace.zk..", "io.daybook.testkit.cluster..", "io.daybook.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..");

    @ArchTest
    static final ArchRule onlyEncodersTouchFlatBuffers = noClasses()
            .that()
            .resideOutsideOfPackages("io.daybook.protocol.wire..", "io.daybook.metadata..", "io.daybook..generated..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.google.flatbuffers..", "io.daybook..generated..")
            .because("foreign bytes are verified once and copied into records");

    // ---- determinism ----

    // accessTargetWhere also sees method references such as System::nanoTime; callMethod does not.
    @ArchTest
    static final ArchRule timeAndChanceAreInjected = noClasses()
            .that()
            .resideOutsideOfPackages(EDGES)
            .should()
            .accessTargetWhere(member(System.class, "nanoTime|currentTimeMillis|identityHashCode")
                    .or(member(Instant.class, "now"))
                    .or(member(LocalDateTime.class, "now"))
                    .or(member(ZonedDateTime.class, "now"))
                    .or(member(Clock.class, "system.*|tick.*"))
                    .or(member(Date.class, "<init>"))
                    .or(member(Thread.class, "sleep"))
                    .or(member(TimeUnit.class, "sleep|timedWait|timedJoin"))
                    .or(member(Math.class, "random"))
                    .or(member(UUID.class, "randomUUID"))
                    .or(member(Random.class, "<init>"))
                    .or(member(SplittableRandom.class, "<init>"))
                    .or(member(SecureRandom.class, ".*"))
                    .or(member(ThreadLocalRandom.class, ".*"))
                    .or(member(Collections.class, "shuffle")))
            .because("a seed must replay the same run");

    @ArchTest
    static final ArchRule orderOfIterationIsTheSameInEveryProcess = noClasses()
            .that()
            .resideOutsideOfPackages(EDGES)
            .should()
            .accessTargetWhere(member(Set.class, "of|copyOf")
                    .or(member(Map.class, "of|ofEntries|copyOf"))
                    .and(takesArguments())
                    .or(member(IdentityHashMap.class, "<init>")))
            .because("immutable sets and maps of the JDK are salted per process; use a sorted or linked one");

    @ArchTest
    static final ArchRule futuresCompleteOnTheLoopThatOwnsThem = noClasses()
            .that()
            .resideOutsideOfPackages(PROGRAMS)
            .should()
            .accessTargetWhere(member(
                    CompletionStage.class, ".*Async|orTimeout|completeOnTimeout|delayedExecutor|defaultExecutor"))
            .because("they hop to a pool or a timer thread that no loop knows");

    @ArchTest
    static final ArchRule threadsAndIoLiveAtTheEdges = noClasses()
            .that()
            .resideOutsideOfPackages(EDGES)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "java.nio.channels..",
                            "java.net.http..",
                            "java.util.concurrent.locks..",
                            "java.util.concurrent.atomic..",
                            "io.netty.bootstrap..",
                            "io.netty.channel..",
                            "io.netty.handler..",
                            "io.netty.util.concurrent..",
                            "org.jctools..")
                    .or(belongToAnyOf(
                            Files.class,
                            File.class,
                            RandomAccessFile.class,
                            FileInputStream.class,
                            FileOutputStream.class,
                            Socket.class,
                            ServerSocket.class,
                            DatagramSocket.class,
                            InetAddress.class,
                            InetSocketAddress.class,
                            CountDownLatch.class,
                            CyclicBarrier.class,
                            Phaser.class,
                            Semaphore.class,
                            Executors.class,
                            Timer.class))
                    .or(assignableTo(Thread.class))
                    .or(assignableTo(ExecutorService.class))
                    .or(assignableTo(BlockingQueue.class)))
            .because("only an edge may block, race or touch the outside");

    // P-66
    @ArchTest
    static final ArchRule nothingIsSynchronizedOutsideTheEdges = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackages(EDGES)
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED)
            .allowEmptyShould(true);

    // ---- shape ----

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .that()
            .resideOutsideOfPackages(GENERATED)
            .should()
            .haveNameMatching(".*(Impl|Utils?|Helper|Manager|Common|Base)$");

    @ArchTest
    static final ArchRule onlyProgramsWriteToTheTerminal =
            noClasses().that().resideOutsideOfPackages(PROGRAMS).should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule loggingGoesThroughSlf4j =
            noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging..");

    @ArchTest
    static void noPackageHoldsMoreClassesThanAReaderCanKeepInMind(JavaClasses all) {
        Map<String, Long> crowded = all.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> !resideInAnyPackage(GENERATED).test(type))
                .collect(groupingBy(JavaClass::getPackageName, counting()));
        crowded.values().removeIf(count -> count <= CLASSES_PER_PACKAGE_MAX);

        assertThat(crowded)
                .as("packages with more than %d top-level classes", CLASSES_PER_PACKAGE_MAX)
                .isEmpty();
    }

    private static DescribedPredicate<JavaAccess<?>> member(Class<?> owner, String name) {
        return target(owner(assignableTo(owner)))
                .and(target(nameMatching(name)))
                .forSubtype();
    }

    private static DescribedPredicate<JavaAccess<?>> takesArguments() {
        return describe(
                "take arguments",
                access -> access.getTarget() instanceof CodeUnitAccessTarget called
                        && !called.getRawParameterTypes().isEmpty());
    }
}
