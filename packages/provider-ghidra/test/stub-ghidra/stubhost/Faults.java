package stubhost;

import ghidra.program.model.listing.Program;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import reabridge.Descriptor;
import reabridge.JsonReader;
import reabridge.JsonWriter;
import reabridge.Members;
import reabridge.Wire;

/** Misbehaves as a program's file says, where the bridge itself never would. */
final class Faults {
    private static final List<String> OPERATIONS = List.of("list_documents", "list_segments", "list_procedures", "list_names",
            "list_strings", "search_procedures", "search_strings", "procedure_address", "procedure_info", "procedure_assembly",
            "procedure_pseudo_code", "procedure_callers", "procedure_callees", "procedure_references", "read_function_instructions",
            "resolve_containing_procedure", "xrefs", "address_name", "inspect_native_data_type", "inspect_native_instruction",
            "resolve_native_call_targets");

    private Faults() {
    }

    /** What fails before there is a program. */
    static void beforeImport(Fields file) throws InterruptedException {
        switch (file.text("fault", "")) {
            case "exit_at_once" -> System.exit(0);
            case "exit_with_words" -> {
                System.err.println("ERROR \u001b[31mno load spec found\u001b[0m " + "x".repeat(100_000));
                System.exit(3);
            }
            case "no_room" -> {
                System.err.println("java.io.IOException: No space left on device");
                System.exit(1);
            }
            case "never_connects" -> Thread.sleep(600_000);
            case "deaf" -> {
                // Neither connects nor ends when it is asked to.
                sun.misc.Signal.handle(new sun.misc.Signal("TERM"), signal -> {
                });
                Thread.sleep(600_000);
            }
            default -> {
            }
        }
    }

    static void run(String fault, CommandLine line, Program program) throws Exception {
        Descriptor descriptor = Descriptor.read(Path.of(line.scriptArguments()[0]));
        try (Wire wire = Wire.connect(descriptor)) {
            if (fault.equals("no_hello")) Thread.sleep(600_000);
            String token = fault.equals("wrong_token") ? "0".repeat(64) : descriptor.token();
            send(wire, Members.of("hello", 1).and("token", token).map());
            for (String request = wire.readLine(); request != null; request = wire.readLine()) {
                Map<String, Object> asked = JsonReader.readObject(request);
                if (asked.containsKey("cancel")) continue;
                if (asked.containsKey("shutdown")) return;
                long id = (Long) asked.get("id");
                if (asked.get("method").equals("ping")) greet(wire, id, fault, descriptor, program);
                else misbehave(wire, id, fault);
            }
        }
    }

    private static void greet(Wire wire, long id, String fault, Descriptor descriptor, Program program) throws Exception {
        if (fault.equals("silent")) return;
        Map<String, Object> greeting = Members.of("bridge_version", fault.equals("other_bridge") ? 2 : 1)
                .and("ghidra_version", fault.equals("other_version") ? "12.1.9" : System.getProperty("stub.version"))
                .and("java_version", "21")
                .and("target_sha256", descriptor.targetSha256())
                .and("program_sha256", program.sha256)
                .and("analysis_timed_out", false)
                .and("operations", fault.equals("few_operations") ? List.of("list_documents") : OPERATIONS)
                .map();
        send(wire, Members.of("id", id).and("ok", true).and("result", greeting).map());
    }

    private static void misbehave(Wire wire, long id, String fault) throws Exception {
        switch (fault) {
            case "wrong_id" -> send(wire, Members.of("id", id + 1).and("ok", true).and("result", null).map());
            case "eleven_mebibytes" -> wire.writeLine("\"" + "y".repeat(11 * 1024 * 1024) + "\"");
            case "dies_mid_line" -> {
                cutOff(wire, "{\"id\":" + id + ",\"ok\":tr");
                Runtime.getRuntime().halt(5);
            }
            case "garbage" -> wire.writeLine("\u0000\u0001 garbage");
            case "unknown_keys" -> send(wire, Members.of("id", id).and("ok", true).and("result", null).and("more", 1).map());
            case "no_envelope" -> send(wire, Members.of("id", id).and("ok", true).and("result", List.of()).map());
            case "off_contract" -> send(wire, Members.of("id", id).and("ok", true).and("result",
                    Members.of("value", Members.of("items", 7).map()).and("limitations", List.of()).and("at", null).map()).map());
            case "hangs_up" -> wire.close();
            case "killed" -> new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).start();
            // Never answers, whatever it is told.
            default -> {
            }
        }
    }

    /** Without a line feed, which the wire itself always sends. */
    private static void cutOff(Wire wire, String text) throws Exception {
        Field channel = Wire.class.getDeclaredField("channel");
        channel.setAccessible(true);
        ((SocketChannel) channel.get(wire)).write(StandardCharsets.UTF_8.encode(text));
    }

    private static void send(Wire wire, Map<String, Object> line) throws IOException {
        wire.writeLine(JsonWriter.write(line, Long.MAX_VALUE));
    }
}
