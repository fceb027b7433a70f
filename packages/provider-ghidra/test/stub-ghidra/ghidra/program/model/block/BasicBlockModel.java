package ghidra.program.model.block;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressSetView;
import ghidra.program.model.listing.Instruction;
import ghidra.program.model.listing.InstructionIterator;
import ghidra.program.model.listing.Program;
import ghidra.program.model.symbol.FlowType;
import ghidra.program.model.symbol.Reference;
import ghidra.util.exception.CancelledException;
import ghidra.util.task.TaskMonitor;
import java.util.ArrayList;
import java.util.List;

/** Stand-in: blocks end at jumps and returns, and before what is jumped to. */
public class BasicBlockModel {
    private final Program program;

    public BasicBlockModel(Program program) {
        this.program = program;
    }

    public CodeBlockIterator getCodeBlocksContaining(AddressSetView set, TaskMonitor monitor) throws CancelledException {
        if (monitor.isCancelled()) throw new CancelledException();
        List<CodeBlock> blocks = new ArrayList<>();
        Address start = null;
        InstructionIterator all = program.getListing().getInstructions(set, true);
        while (all.hasNext()) {
            Instruction instruction = all.next();
            start = start == null ? instruction.address : start;
            Address next = instruction.address.add(instruction.length);
            boolean ends = instruction.getFlowType().isJump() || instruction.getFlowType().isTerminal();
            if (!ends && set.contains(next) && !isJumpedTo(next)) continue;
            CodeBlock block = new CodeBlock(start, next.add(-1));
            for (Reference reference : program.getReferenceManager().getReferencesFrom(instruction.address)) {
                if (reference.type().isJump()) block.destinations.add(new CodeBlockReference(reference.to(), instruction.getFlowType()));
            }
            boolean falls = !ends || instruction.getFlowType().isConditional();
            if (falls && set.contains(next)) block.destinations.add(new CodeBlockReference(next, new FlowType("fallthrough")));
            blocks.add(block);
            start = null;
        }
        return new CodeBlockIterator(blocks.iterator());
    }

    private boolean isJumpedTo(Address address) {
        for (Reference reference : program.getReferenceManager().getReferencesTo(address)) if (reference.type().isJump()) return true;
        return false;
    }
}
