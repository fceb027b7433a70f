package ghidra.program.model.listing;

import ghidra.program.model.data.DataType;
import java.util.List;

/** Stand-in. */
public class Data extends CodeUnit {
    /** Null for data that is no string. */
    public String string;
    public String charset = "US-ASCII";
    public boolean terminated = true;
    public boolean array;
    public List<Data> components = List.of();

    public DataType type = new DataType("undefined");

    public DataType getDataType() {
        return type;
    }

    public boolean isArray() {
        return array;
    }

    public int getNumComponents() {
        return components.size();
    }

    public Data getComponent(int index) {
        return components.get(index);
    }
}
