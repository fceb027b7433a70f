package ghidra.program.model.address;

/** Stand-in. */
public record AddressFactory(AddressSpace space) {
    public AddressSpace getDefaultAddressSpace() {
        return space;
    }
}
