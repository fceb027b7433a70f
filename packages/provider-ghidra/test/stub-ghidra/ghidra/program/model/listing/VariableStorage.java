package ghidra.program.model.listing;

/** Stand-in. */
public record VariableStorage(String text) {
    @Override
    public String toString() {
        return text;
    }
}
