// Answers questions about the analysed program to the session that started this Ghidra.
// @category REA

import ghidra.app.util.headless.HeadlessScript;
import ghidra.framework.Application;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import reabridge.Descriptor;
import reabridge.Held;
import reabridge.Operations;
import reabridge.Service;
import reabridge.Wire;

/** Run once, after the analysis; ends with the connection. Nothing of the program is changed. */
public class ReaBridge extends HeadlessScript {
    @Override
    protected void run() throws Exception {
        String[] arguments = getScriptArgs();
        if (arguments.length != 1) throw new IllegalArgumentException("the session's descriptor is the one argument");
        Descriptor descriptor = Descriptor.read(Path.of(arguments[0]));
        Map<String, Object> greeting = greeting(descriptor);
        // Of another program than was admitted nothing is told but that.
        boolean admitted = descriptor.targetSha256().equals(greeting.get("program_sha256"));
        Operations operations = new Operations(new Held(currentProgram), () -> greeting, admitted);
        try (Wire wire = Wire.connect(descriptor)) {
            new Service(wire, descriptor.token(), operations).run();
        } finally {
            operations.close();
        }
    }

    private Map<String, Object> greeting(Descriptor descriptor) throws Exception {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("bridge_version", 1);
        told.put("ghidra_version", Application.getApplicationVersion());
        told.put("java_version", System.getProperty("java.version"));
        told.put("target_sha256", descriptor.targetSha256());
        told.put("program_sha256", currentProgram.getExecutableSHA256());
        told.put("analysis_timed_out", analysisTimeoutOccurred());
        return told;
    }
}
