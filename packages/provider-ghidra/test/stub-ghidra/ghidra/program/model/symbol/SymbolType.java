package ghidra.program.model.symbol;

/** Stand-in: constants of a class, not of an enumeration. */
public final class SymbolType {
    public static final SymbolType LABEL = new SymbolType("Label");
    public static final SymbolType FUNCTION = new SymbolType("Function");
    public static final SymbolType LIBRARY = new SymbolType("Library");
    private final String name;

    private SymbolType(String name) {
        this.name = name;
    }

    public static SymbolType of(String name) {
        return name.equals("function") ? FUNCTION : name.equals("library") ? LIBRARY : LABEL;
    }

    @Override
    public String toString() {
        return name;
    }
}
