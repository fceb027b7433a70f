package ghidra.program.model.block;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressSetView;
import ghidra.util.exception.CancelledException;
import ghidra.util.task.TaskMonitor;
import java.util.ArrayList;
import java.util.List;

/** Stand-in. */
public class CodeBlock extends AddressSetView {
    final List<CodeBlockReference> destinations = new ArrayList<>();

    CodeBlock(Address first, Address last) {
        super(List.of(new Range(first, last)));
    }

    public Address getFirstStartAddress() {
        return ranges.get(0).first();
    }

    public CodeBlockReferenceIterator getDestinations(TaskMonitor monitor) throws CancelledException {
        if (monitor.isCancelled()) throw new CancelledException();
        return new CodeBlockReferenceIterator(destinations.iterator());
    }
}
