// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** A result for programs: one JSON object whose fields are those of {@link BenchResult}; what was not measured is left out. */
public final class JsonReport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonReport() {}

    /** The object, indented, with a line end. */
    public static String render(BenchResult result) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("what", result.what());
        root.set("setup", MAPPER.valueToTree(result.setup()));
        root.set("conditions", MAPPER.valueToTree(result.conditions()));
        root.set("rates", MAPPER.valueToTree(result.rates()));
        root.set("latencyMicros", MAPPER.valueToTree(result.latency()));
        set(root, "delivery", result.delivery());
        set(root, "latenessMicros", result.lateness());
        root.set("slow", MAPPER.valueToTree(result.slow()));
        root.set("processors", MAPPER.valueToTree(result.processors()));
        set(root, "rawDiskMicros", result.rawDisk());
        result.p99ToRawDisk().ifPresent(ratio -> root.put("p99ToRawDisk", ratio));
        set(root, "diskWrites", result.diskWrites());
        root.set("remarks", MAPPER.valueToTree(result.remarks()));
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values could not be written", impossible);
        }
    }

    private static void set(ObjectNode root, String field, Optional<?> value) {
        value.ifPresent(present -> root.set(field, MAPPER.valueToTree(present)));
    }
}
