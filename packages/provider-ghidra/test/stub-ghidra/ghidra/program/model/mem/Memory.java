package ghidra.program.model.mem;

import ghidra.program.model.address.Address;
import java.util.ArrayList;
import java.util.List;

/** Stand-in. */
public class Memory {
    public final List<MemoryBlock> blocks = new ArrayList<>();
    public boolean bigEndian;

    public MemoryBlock[] getBlocks() {
        return blocks.toArray(MemoryBlock[]::new);
    }

    public boolean contains(Address address) {
        return blocks.stream().anyMatch(block -> block.start().space() == address.space()
                && address.compareTo(block.start()) >= 0 && address.compareTo(block.end()) <= 0);
    }

    public boolean isBigEndian() {
        return bigEndian;
    }
}
