package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressOutOfBoundsException;
import ghidra.program.model.address.AddressSpace;
import ghidra.program.model.listing.Program;
import ghidra.program.model.mem.MemoryBlock;
import java.util.HashMap;
import java.util.Map;

/** Addresses as the other side writes them: `0x…` in the program's own space. */
public final class Places {
    static final String MADE_UP = "EXTERNAL";

    private final Program program;
    private final AddressSpace space;
    /** What lies outside of memory, as imports do, stands where its stub or slot is. */
    private final Map<Address, Address> standIns = new HashMap<>();

    Places(Program program) {
        this.program = program;
        this.space = program.getAddressFactory().getDefaultAddressSpace();
    }

    /** Null for an address in no memory that is loaded. */
    public String text(Address address) {
        Address shown = shown(address);
        return shown == null ? null : "0x" + Long.toHexString(shown.getOffset());
    }

    /** Where an import stands, else the address itself; null when that is not in the program's own space. */
    public Address shown(Address address) {
        if (address == null) return null;
        Address standIn = standIns.get(address);
        if (standIn != null) return standIn;
        return address.getAddressSpace().equals(space) ? address : null;
    }

    /** Behind an address, for half-open ranges; behind the last one of all it has 17 digits. */
    public String textAfter(Address last) {
        return last.getOffset() == -1 ? "0x10000000000000000" : "0x" + Long.toHexString(last.getOffset() + 1);
    }

    /** Null when the text is none, or lies outside of the space. */
    public Address parse(String text) {
        if (!text.matches("0[xX][0-9a-fA-F]{1,16}")) return null;
        try {
            return space.getAddress(Long.parseUnsignedLong(text.substring(2), 16));
        } catch (AddressOutOfBoundsException outside) {
            return null;
        }
    }

    public boolean isMapped(Address address) {
        return address != null && program.getMemory().contains(address);
    }

    /** In the block that Ghidra makes up for imports, which is in no file. */
    boolean isMadeUp(Address address) {
        MemoryBlock block = program.getMemory().getBlock(address);
        return block != null && block.getName().equals(MADE_UP);
    }

    void standIn(Address outside, Address inside) {
        standIns.merge(outside, inside, (one, other) -> one.compareTo(other) <= 0 ? one : other);
    }
}
