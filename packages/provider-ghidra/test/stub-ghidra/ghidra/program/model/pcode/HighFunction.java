package ghidra.program.model.pcode;

import ghidra.program.model.listing.Function;

/** Stand-in. */
public record HighFunction(Function function) {
    public JumpTable[] getJumpTables() {
        return function.jumpTables.toArray(JumpTable[]::new);
    }
}
