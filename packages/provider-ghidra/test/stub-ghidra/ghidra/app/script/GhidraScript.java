package ghidra.app.script;

import ghidra.program.model.listing.Program;

/** Stand-in. */
public abstract class GhidraScript {
    public Program currentProgram;
    private String[] arguments = {};

    protected abstract void run() throws Exception;

    public String[] getScriptArgs() {
        return arguments;
    }

    public void execute(Program program, String[] given) throws Exception {
        currentProgram = program;
        arguments = given;
        run();
    }
}
