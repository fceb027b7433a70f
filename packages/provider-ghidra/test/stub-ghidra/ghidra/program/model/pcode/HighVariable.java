package ghidra.program.model.pcode;

/** Stand-in. */
public class HighVariable {
    public final String name;

    public HighVariable(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }
}
