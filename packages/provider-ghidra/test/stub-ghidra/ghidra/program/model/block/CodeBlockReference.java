package ghidra.program.model.block;

import ghidra.program.model.address.Address;
import ghidra.program.model.symbol.FlowType;

/** Stand-in. */
public record CodeBlockReference(Address destination, FlowType flow) {
    public Address getDestinationAddress() {
        return destination;
    }

    public FlowType getFlowType() {
        return flow;
    }
}
