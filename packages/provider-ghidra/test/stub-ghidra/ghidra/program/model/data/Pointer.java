package ghidra.program.model.data;

/** Stand-in. */
public class Pointer extends DataType {
    public DataType to;

    public Pointer(String name) {
        super(name);
    }

    public DataType getDataType() {
        return to;
    }
}
