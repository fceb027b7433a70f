package reabridge;

import ghidra.program.model.listing.Program;
import ghidra.program.model.mem.MemoryBlock;
import ghidra.program.model.mem.MemoryBlockSourceInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Memory blocks: Ghidra maps sections one by one where a file has them. */
final class Segments {
    private Segments() {
    }

    static Answer list(Held held, Params params) {
        List<MemoryBlock> loaded = new ArrayList<>();
        long others = 0;
        for (MemoryBlock block : held.program.getMemory().getBlocks()) {
            if (held.text(block.getStart()) == null) others++;
            else loaded.add(block);
        }
        List<Object> omissions = others == 0 ? List.of()
                : List.of(Pages.omission("blocks outside of the program's memory", "filtered", others, null, null));
        return new Answer(Pages.page(loaded, params, 500, block -> item(held, block), omissions))
                .limited("Segments are Ghidra's memory blocks, one for each section where the file has sections.");
    }

    private static Map<String, Object> item(Held held, MemoryBlock block) {
        Program program = held.program;
        Members item = Members.of("name", Texts.name(block.getName()))
                .and("start", held.text(block.getStart()))
                .and("end", held.places.textAfter(block.getEnd()))
                .and("readable", block.isRead())
                .and("writable", block.isWrite())
                .and("executable", block.isExecute())
                .and("permissions", (block.isRead() ? "r" : "-") + (block.isWrite() ? "w" : "-") + (block.isExecute() ? "x" : "-"))
                .and("sections", List.of())
                .and("image_base", held.text(program.getImageBase()))
                .and("initialized", block.isInitialized())
                .and("overlay", block.isOverlay());
        long offset = fileOffset(block);
        item.and("file_offset", offset < 0 ? null : offset).and("file_size", offset < 0 ? 0L : block.getSize());
        boolean madeUp = block.getName().equals(Places.MADE_UP) && offset < 0;
        return item.and("provenance", madeUp ? "made up by Ghidra for imports" : "Ghidra memory block").map();
    }

    /** Where the block's bytes stand in the file; -1 when it has none, or they come from several places. */
    private static long fileOffset(MemoryBlock block) {
        List<MemoryBlockSourceInfo> sources = block.getSourceInfos();
        return sources.size() == 1 ? sources.get(0).getFileBytesOffset() : -1;
    }
}
