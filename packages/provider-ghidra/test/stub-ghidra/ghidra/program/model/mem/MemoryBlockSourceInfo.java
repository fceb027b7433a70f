package ghidra.program.model.mem;

/** Stand-in. */
public record MemoryBlockSourceInfo(long offset) {
    public long getFileBytesOffset() {
        return offset;
    }
}
