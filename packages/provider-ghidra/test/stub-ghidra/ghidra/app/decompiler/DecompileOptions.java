package ghidra.app.decompiler;

/** Stand-in. */
public class DecompileOptions {
}
