package ghidra.program.model.data;

/** Stand-in. */
public class Structure extends Composite {
    public Structure(String name) {
        super(name);
    }
}
