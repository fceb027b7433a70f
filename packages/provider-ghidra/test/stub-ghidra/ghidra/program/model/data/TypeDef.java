package ghidra.program.model.data;

/** Stand-in. */
public class TypeDef extends DataType {
    public DataType to;

    public TypeDef(String name) {
        super(name);
    }

    public DataType getDataType() {
        return to;
    }

    public DataType getBaseDataType() {
        return to instanceof TypeDef further ? further.getBaseDataType() : to;
    }
}
