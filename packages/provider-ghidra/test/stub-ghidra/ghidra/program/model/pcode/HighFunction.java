package ghidra.program.model.pcode;

import ghidra.program.model.listing.Function;
import java.util.Iterator;

/** Stand-in. */
public record HighFunction(Function function) {
    public JumpTable[] getJumpTables() {
        return function.jumpTables.toArray(JumpTable[]::new);
    }

    public Iterator<PcodeOpAST> getPcodeOps() {
        return function.pcode.iterator();
    }
}
