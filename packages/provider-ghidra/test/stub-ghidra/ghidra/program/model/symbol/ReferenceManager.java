package ghidra.program.model.symbol;

import ghidra.program.model.address.Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stand-in. */
public class ReferenceManager {
    private final Map<Address, List<Reference>> byFrom = new HashMap<>();
    private final Map<Address, List<Reference>> byTo = new HashMap<>();

    public void add(Reference reference) {
        byFrom.computeIfAbsent(reference.from(), any -> new ArrayList<>()).add(reference);
        byTo.computeIfAbsent(reference.to(), any -> new ArrayList<>()).add(reference);
    }

    public ReferenceIterator getReferencesTo(Address to) {
        return new ReferenceIterator(byTo.getOrDefault(to, List.of()).iterator());
    }

    public Reference[] getReferencesFrom(Address from) {
        return byFrom.getOrDefault(from, List.of()).toArray(Reference[]::new);
    }
}
