package ghidra.program.model.pcode;

import ghidra.program.model.address.Address;

/** Stand-in. */
public record SequenceNumber(Address target) {
    public Address getTarget() {
        return target;
    }
}
