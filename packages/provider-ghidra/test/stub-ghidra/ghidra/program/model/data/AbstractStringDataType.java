package ghidra.program.model.data;

/** Stand-in. */
public class AbstractStringDataType extends DataType {
    public AbstractStringDataType(String name) {
        super(name);
    }
}
