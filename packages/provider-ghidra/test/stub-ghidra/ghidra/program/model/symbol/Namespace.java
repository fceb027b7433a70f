package ghidra.program.model.symbol;

/** Stand-in. */
public record Namespace(String name) {
    public String getName() {
        return name;
    }
}
