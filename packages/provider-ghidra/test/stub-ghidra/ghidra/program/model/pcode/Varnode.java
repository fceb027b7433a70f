package ghidra.program.model.pcode;

import ghidra.program.model.address.Address;

/** Stand-in. */
public class Varnode {
    public Address address;
    public long constant;
    public boolean isConstant;
    public boolean isInput;
    public int size = 8;
    public HighVariable high;

    public boolean isConstant() {
        return isConstant;
    }

    public boolean isInput() {
        return isInput;
    }

    public boolean isAddress() {
        return address != null;
    }

    public Address getAddress() {
        return address;
    }

    public long getOffset() {
        return constant;
    }

    public int getSize() {
        return size;
    }

    public HighVariable getHigh() {
        return high;
    }
}
