package ghidra.program.model.data;

/** Stand-in. */
public class FunctionDefinition extends DataType {
    public FunctionDefinition(String name) {
        super(name);
    }
}
