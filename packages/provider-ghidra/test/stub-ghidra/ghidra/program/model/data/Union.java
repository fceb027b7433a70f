package ghidra.program.model.data;

/** Stand-in. */
public class Union extends Composite {
    public Union(String name) {
        super(name);
    }
}
