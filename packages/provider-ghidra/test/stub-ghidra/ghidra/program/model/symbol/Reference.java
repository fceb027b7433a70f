package ghidra.program.model.symbol;

import ghidra.program.model.address.Address;

/** Stand-in. */
public record Reference(Address from, Address to, RefType type, int operand) {
    public Address getFromAddress() {
        return from;
    }

    public Address getToAddress() {
        return to;
    }

    public RefType getReferenceType() {
        return type;
    }

    public int getOperandIndex() {
        return operand;
    }
}
