package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.block.BasicBlockModel;
import ghidra.program.model.block.CodeBlock;
import ghidra.program.model.block.CodeBlockIterator;
import ghidra.program.model.block.CodeBlockReference;
import ghidra.program.model.block.CodeBlockReferenceIterator;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.InstructionIterator;
import ghidra.program.model.symbol.FlowType;
import ghidra.util.exception.CancelledException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Basic blocks of a function. */
final class Blocks {
    private static final int MOST_BLOCKS = 100_000;

    private Blocks() {
    }

    /** By address; calls do not end a block. */
    static List<CodeBlock> of(Held held, Function function, Work work) {
        List<CodeBlock> blocks = new ArrayList<>();
        try {
            CodeBlockIterator all = new BasicBlockModel(held.program).getCodeBlocksContaining(function.getBody(), work.monitor());
            while (all.hasNext() && blocks.size() < MOST_BLOCKS) blocks.add(all.next());
        } catch (CancelledException cancelled) {
            throw Work.cancelled();
        }
        blocks.sort(Comparator.comparing(CodeBlock::getFirstStartAddress));
        return blocks;
    }

    static Map<String, Object> item(Held held, CodeBlock block, Work work) {
        int instructions = 0;
        for (InstructionIterator all = held.program.getListing().getInstructions(block, true); all.hasNext(); all.next()) instructions++;
        return Members.of("start", held.text(block.getFirstStartAddress()))
                .and("end", held.places.textAfter(block.getMaxAddress()))
                .and("instruction_count", instructions)
                .and("successors", successors(held, block, work))
                .map();
    }

    private static List<Object> successors(Held held, CodeBlock block, Work work) {
        List<Map<String, Object>> found = new ArrayList<>();
        try {
            CodeBlockReferenceIterator all = block.getDestinations(work.monitor());
            while (all.hasNext()) {
                CodeBlockReference next = all.next();
                Address to = held.places.shown(next.getDestinationAddress());
                if (to == null || next.getFlowType().isCall()) continue;
                found.add(Members.of("address", held.text(to)).and("kind", kind(next.getFlowType())).map());
            }
        } catch (CancelledException cancelled) {
            throw Work.cancelled();
        }
        found.sort(Comparator.comparing((Map<String, Object> item) -> held.places.parse((String) item.get("address")))
                .thenComparing(item -> (String) item.get("kind")));
        return new ArrayList<>(found);
    }

    private static String kind(FlowType flow) {
        if (flow.isFallthrough()) return "fallthrough";
        if (flow.isComputed()) return "switch";
        return flow.isConditional() ? "branch" : "jump";
    }
}
