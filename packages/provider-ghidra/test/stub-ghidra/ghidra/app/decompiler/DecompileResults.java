package ghidra.app.decompiler;

import ghidra.program.model.listing.Function;
import ghidra.program.model.pcode.HighFunction;

/** Stand-in. */
public record DecompileResults(Function function, String outcome) {
    public boolean decompileCompleted() {
        return outcome.equals("done");
    }

    public boolean isTimedOut() {
        return outcome.equals("timeout");
    }

    public DecompiledFunction getDecompiledFunction() {
        return outcome.equals("done") ? new DecompiledFunction(function.pseudocode) : null;
    }

    public HighFunction getHighFunction() {
        return new HighFunction(function);
    }
}
