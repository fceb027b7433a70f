package ghidra.program.model.address;

/** Stand-in: a place in a space. */
public record Address(AddressSpace space, long offset) implements Comparable<Address> {
    public long getOffset() {
        return offset;
    }

    public AddressSpace getAddressSpace() {
        return space;
    }

    public Address add(long more) {
        return new Address(space, offset + more);
    }

    @Override
    public int compareTo(Address other) {
        int spaces = space.name.compareTo(other.space.name);
        return spaces != 0 ? spaces : Long.compareUnsigned(offset, other.offset);
    }
}
