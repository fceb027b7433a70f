package ghidra.program.model.listing;

import ghidra.program.model.mem.MemoryAccessException;
import ghidra.program.model.symbol.FlowType;
import ghidra.program.model.symbol.RefType;
import java.util.List;

/** Stand-in. */
public class Instruction extends CodeUnit {
    public byte[] bytes;
    public String text;
    public String flow;
    public List<Integer> operandTypes = List.of();

    public byte[] getBytes() throws MemoryAccessException {
        if (bytes == null) throw new MemoryAccessException();
        return bytes;
    }

    public String getMnemonicString() {
        return text.split(" ", 2)[0];
    }

    public int getNumOperands() {
        return operandTypes.size();
    }

    public String getDefaultOperandRepresentation(int index) {
        return text.split(" ", 2)[1].split(",")[index];
    }

    public int getOperandType(int index) {
        return operandTypes.get(index);
    }

    public RefType getOperandRefType(int index) {
        return new RefType(index == 0 ? "write" : "read");
    }

    public FlowType getFlowType() {
        return new FlowType(flow);
    }

    @Override
    public String toString() {
        return text;
    }
}
