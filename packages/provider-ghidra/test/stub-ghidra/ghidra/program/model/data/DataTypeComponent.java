package ghidra.program.model.data;

/** Stand-in. */
public record DataTypeComponent(int offset, String name, DataType type) {
    public int getOffset() {
        return offset;
    }

    public String getFieldName() {
        return name;
    }

    public DataType getDataType() {
        return type;
    }
}
