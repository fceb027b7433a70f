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
        return getBlock(address) != null;
    }

    public MemoryBlock getBlock(Address address) {
        for (MemoryBlock block : blocks) {
            boolean holds = block.start().space() == address.space()
                    && address.compareTo(block.start()) >= 0 && address.compareTo(block.end()) <= 0;
            if (holds) return block;
        }
        return null;
    }

    public boolean isBigEndian() {
        return bigEndian;
    }
}
