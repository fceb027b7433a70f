package ghidra.program.model.symbol;

/** Stand-in: what an instruction does to control flow. */
public class FlowType extends RefType {
    public FlowType(String word) {
        super(word);
    }
}
