package ghidra.program.model.listing;

/** Stand-in. */
public class Parameter extends Variable {
    public int ordinal;

    public int getOrdinal() {
        return ordinal;
    }
}
