package ghidra.program.model.mem;

import ghidra.program.model.address.Address;
import java.util.List;

/** Stand-in. */
public record MemoryBlock(String name, Address start, Address end, String permissions, boolean initialized, long fileOffset) {
    public String getName() {
        return name;
    }

    public Address getStart() {
        return start;
    }

    public Address getEnd() {
        return end;
    }

    public long getSize() {
        return end.offset() - start.offset() + 1;
    }

    public boolean isRead() {
        return permissions.contains("r");
    }

    public boolean isWrite() {
        return permissions.contains("w");
    }

    public boolean isExecute() {
        return permissions.contains("x");
    }

    public boolean isInitialized() {
        return initialized;
    }

    public boolean isOverlay() {
        return false;
    }

    public List<MemoryBlockSourceInfo> getSourceInfos() {
        return List.of(new MemoryBlockSourceInfo(fileOffset));
    }
}
