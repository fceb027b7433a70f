package stubhost;

import ghidra.app.util.headless.HeadlessScript;
import ghidra.framework.Application;
import ghidra.program.model.listing.Program;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import reabridge.JsonReader;

/** Stands in for the headless analyser: takes its command line, "imports" a program's file and runs the script. */
public final class StubHeadless {
    private static final String MARK = "\nstand-in:";

    private StubHeadless() {
    }

    public static void main(String[] args) throws Exception {
        CommandLine line = CommandLine.read(args);
        Application.version = System.getProperty("stub.version");
        byte[] bytes = Files.readAllBytes(line.target());
        Fields file = new Fields(JsonReader.readObject(description(bytes)));
        Faults.beforeImport(file);
        Path project = line.project().resolve(line.name() + ".rep");
        Files.createDirectories(project);
        Files.writeString(project.resolve("project.prp"), "stand-in");
        Files.writeString(line.log(), "INFO  imported\n");
        Files.writeString(line.scriptLog(), "");
        Program program = ProgramFile.load(file, HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
        if (file.has("fault")) Faults.run(file.text("fault", ""), line, program);
        else script(line, file.flag("compile")).run(program, line.scriptArguments(), file.flag("analysis_timed_out"));
        Files.delete(project.resolve("project.prp"));
        Files.delete(project);
    }

    /** What stands behind the mark; any real file may come before it. */
    private static String description(byte[] bytes) {
        int at = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf(MARK) + MARK.length();
        return new String(bytes, at, bytes.length - at, StandardCharsets.UTF_8);
    }

    private record Script(HeadlessScript script) {
        void run(Program program, String[] arguments, boolean timedOut) throws Exception {
            script.timedOut = timedOut;
            script.execute(program, arguments);
        }
    }

    /** By default the bridge that was compiled beforehand; `compile` has it compiled from the session's scripts, as the real one does. */
    private static Script script(CommandLine line, boolean compile) throws Exception {
        String name = line.script().replaceFirst("\\.java$", "");
        if (!compile) return new Script((HeadlessScript) Class.forName(name).getDeclaredConstructor().newInstance());
        Path out = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "compiled"));
        List<String> sources;
        try (var files = Files.walk(line.scripts())) {
            sources = files.filter(each -> each.toString().endsWith(".java")).map(Path::toString).toList();
        }
        List<String> command = new java.util.ArrayList<>(List.of("-d", out.toString(), "-cp", System.getProperty("stub.api")));
        command.addAll(sources);
        int failed = javax.tools.ToolProvider.getSystemJavaCompiler().run(null, System.err, System.err, command.toArray(String[]::new));
        if (failed != 0) throw new IllegalStateException("the scripts do not compile");
        ClassLoader parent = StubHeadless.class.getClassLoader();
        ClassLoader loader = new ChildFirst(new File(out.toString()).toURI().toURL(), parent);
        return new Script((HeadlessScript) loader.loadClass(name).getDeclaredConstructor().newInstance());
    }

    /** Takes the bridge from its own place, not from the class path that the stand-in came by. */
    private static final class ChildFirst extends java.net.URLClassLoader {
        ChildFirst(java.net.URL place, ClassLoader parent) {
            super(new java.net.URL[] { place }, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("reabridge.") && !name.equals("ReaBridge")) return super.loadClass(name, resolve);
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }
}
