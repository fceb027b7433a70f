package ghidra.program.model.pcode;

/** Stand-in. */
public class PcodeOpAST extends PcodeOp {
}
