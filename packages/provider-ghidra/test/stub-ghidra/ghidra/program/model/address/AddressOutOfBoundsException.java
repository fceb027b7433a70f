package ghidra.program.model.address;

/** Stand-in. */
public class AddressOutOfBoundsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AddressOutOfBoundsException(String message) {
        super(message);
    }
}
