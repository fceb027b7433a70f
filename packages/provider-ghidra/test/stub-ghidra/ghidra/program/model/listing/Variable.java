package ghidra.program.model.listing;

import ghidra.program.model.data.DataType;
import ghidra.program.model.symbol.SourceType;

/** Stand-in. */
public class Variable {
    public String name;
    public String type;
    public String storage;

    public String getName() {
        return name;
    }

    public DataType getDataType() {
        return new DataType(type);
    }

    public VariableStorage getVariableStorage() {
        return new VariableStorage(storage);
    }

    public SourceType getSource() {
        return SourceType.ANALYSIS;
    }
}
