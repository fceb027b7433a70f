package ghidra.app.decompiler;

import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Program;
import ghidra.util.task.TaskMonitor;

/** Stand-in: gives what the program's file says, and can be slow as long as nobody cancels. */
public class DecompInterface {
    public boolean setOptions(DecompileOptions options) {
        return true;
    }

    public boolean toggleCCode(boolean on) {
        return true;
    }

    public boolean toggleSyntaxTree(boolean on) {
        return true;
    }

    public boolean setSimplificationStyle(String style) {
        return true;
    }

    public boolean openProgram(Program program) {
        return true;
    }

    public DecompileResults decompileFunction(Function function, int seconds, TaskMonitor monitor) {
        if (function.decompile.equals("throw")) throw new IllegalStateException(function.getName());
        while (function.decompile.equals("slow") && !monitor.isCancelled()) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException ended) {
                break;
            }
        }
        return new DecompileResults(function, function.decompile);
    }

    public void dispose() {
    }
}
