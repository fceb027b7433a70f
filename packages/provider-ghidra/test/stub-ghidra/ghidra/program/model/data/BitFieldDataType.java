package ghidra.program.model.data;

/** Stand-in. */
public class BitFieldDataType extends DataType {
    public DataType base;
    public int bitOffset;
    public int bitSize;

    public BitFieldDataType(String name) {
        super(name);
    }

    public DataType getBaseDataType() {
        return base;
    }

    public int getBitOffset() {
        return bitOffset;
    }

    public int getBitSize() {
        return bitSize;
    }
}
