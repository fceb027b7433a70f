package ghidra.program.model.address;

/** Stand-in: a named range of addresses of 64 bits, or of fewer. */
public class AddressSpace {
    public final String name;
    public final int bits;

    public AddressSpace(String name, int bits) {
        this.name = name;
        this.bits = bits;
    }

    public Address getAddress(long offset) {
        if (bits < 64 && offset >>> bits != 0) throw new AddressOutOfBoundsException(name);
        return new Address(this, offset);
    }
}
