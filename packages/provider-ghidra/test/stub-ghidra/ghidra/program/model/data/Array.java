package ghidra.program.model.data;

/** Stand-in. */
public class Array extends DataType {
    public DataType to;

    public Array(String name) {
        super(name);
    }

    public DataType getDataType() {
        return to;
    }
}
