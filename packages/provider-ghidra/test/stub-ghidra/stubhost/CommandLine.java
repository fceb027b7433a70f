package stubhost;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The arguments of the headless analyser that a session gives; any other is an error. */
record CommandLine(Path project, String name, Map<String, String> values, String script, String[] scriptArguments) {
    private static final Set<String> ALONE = Set.of("-readOnly", "-deleteProject");
    private static final Set<String> WITH_VALUE = Set.of("-import", "-analysisTimeoutPerFile", "-max-cpu", "-log", "-scriptlog", "-scriptPath");

    static CommandLine read(String[] args) {
        Map<String, String> values = new HashMap<>();
        String script = null;
        String[] scriptArguments = {};
        for (int i = 2; i < args.length; i++) {
            if (ALONE.contains(args[i])) values.put(args[i], "");
            else if (WITH_VALUE.contains(args[i])) values.put(args[i], args[++i]);
            else if (args[i].equals("-postScript")) {
                script = args[++i];
                scriptArguments = java.util.Arrays.copyOfRange(args, i + 1, args.length);
                break;
            } else throw new IllegalArgumentException("unknown argument");
        }
        if (values.size() != ALONE.size() + WITH_VALUE.size() || script == null) throw new IllegalArgumentException("arguments are missing");
        Path project = Path.of(args[0]);
        if (!project.isAbsolute() || !Files.isDirectory(project)) throw new IllegalArgumentException("no project directory");
        return new CommandLine(project, args[1], values, script, scriptArguments);
    }

    Path target() {
        return Path.of(values.get("-import"));
    }

    Path log() {
        return Path.of(values.get("-log"));
    }

    Path scriptLog() {
        return Path.of(values.get("-scriptlog"));
    }

    Path scripts() {
        return Path.of(values.get("-scriptPath"));
    }
}
