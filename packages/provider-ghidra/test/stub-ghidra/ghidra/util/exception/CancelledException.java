package ghidra.util.exception;

/** Stand-in. */
public class CancelledException extends Exception {
    private static final long serialVersionUID = 1L;
}
