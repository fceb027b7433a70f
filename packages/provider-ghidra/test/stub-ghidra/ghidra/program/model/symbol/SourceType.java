package ghidra.program.model.symbol;

/** Stand-in. */
public enum SourceType {
    DEFAULT, ANALYSIS, IMPORTED, USER_DEFINED
}
