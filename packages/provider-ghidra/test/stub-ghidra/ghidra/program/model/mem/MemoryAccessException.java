package ghidra.program.model.mem;

/** Stand-in. */
public class MemoryAccessException extends Exception {
    private static final long serialVersionUID = 1L;
}
