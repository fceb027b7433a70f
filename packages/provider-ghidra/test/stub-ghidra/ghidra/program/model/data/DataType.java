package ghidra.program.model.data;

/** Stand-in. */
public record DataType(String name) {
    public String getName() {
        return name;
    }
}
