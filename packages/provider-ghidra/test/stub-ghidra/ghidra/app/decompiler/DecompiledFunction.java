package ghidra.app.decompiler;

/** Stand-in. */
public record DecompiledFunction(String text) {
    public String getC() {
        return text;
    }
}
