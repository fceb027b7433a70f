package ghidra.program.model.listing;

import ghidra.program.model.address.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Stand-in. */
public class FunctionManager {
    public final TreeMap<Address, Function> inside = new TreeMap<>();
    public final List<Function> outside = new ArrayList<>();

    public FunctionIterator getFunctions(boolean forward) {
        return new FunctionIterator(inside.values().iterator());
    }

    public FunctionIterator getExternalFunctions() {
        return new FunctionIterator(outside.iterator());
    }

    public Function getFunctionAt(Address entry) {
        return inside.get(entry);
    }

    public Function getFunctionContaining(Address address) {
        Map.Entry<Address, Function> before = inside.floorEntry(address);
        return before != null && before.getValue().body.contains(address) ? before.getValue() : null;
    }
}
