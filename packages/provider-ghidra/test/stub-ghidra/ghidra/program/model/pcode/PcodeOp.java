package ghidra.program.model.pcode;

import ghidra.program.model.address.Address;
import java.util.List;
import java.util.Map;

/** Stand-in. */
public class PcodeOp {
    public static final int COPY = 1;
    public static final int LOAD = 2;
    public static final int STORE = 3;
    public static final int CBRANCH = 5;
    public static final int BRANCHIND = 6;
    public static final int CALL = 7;
    public static final int CALLIND = 8;
    public static final int CALLOTHER = 9;
    public static final int RETURN = 10;
    public static final int MULTIEQUAL = 60;
    public static final int INDIRECT = 61;
    private static final Map<String, Integer> OPCODES = Map.ofEntries(Map.entry("COPY", COPY), Map.entry("LOAD", LOAD),
            Map.entry("STORE", STORE), Map.entry("CBRANCH", CBRANCH), Map.entry("BRANCHIND", BRANCHIND), Map.entry("CALL", CALL),
            Map.entry("CALLIND", CALLIND), Map.entry("CALLOTHER", CALLOTHER), Map.entry("RETURN", RETURN),
            Map.entry("MULTIEQUAL", MULTIEQUAL), Map.entry("INDIRECT", INDIRECT));

    public String mnemonic;
    public Address at;
    public Varnode output;
    public List<Varnode> inputs = List.of();

    public int getOpcode() {
        return OPCODES.getOrDefault(mnemonic, 19);
    }

    public String getMnemonic() {
        return mnemonic;
    }

    public Varnode getOutput() {
        return output;
    }

    public int getNumInputs() {
        return inputs.size();
    }

    public Varnode getInput(int index) {
        return inputs.get(index);
    }

    public SequenceNumber getSeqnum() {
        return new SequenceNumber(at);
    }
}
