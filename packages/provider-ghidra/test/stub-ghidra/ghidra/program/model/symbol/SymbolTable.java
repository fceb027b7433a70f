package ghidra.program.model.symbol;

import ghidra.program.model.address.Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stand-in: in no order, as the real one. */
public class SymbolTable {
    private final List<Symbol> all = new ArrayList<>();
    private final Map<Address, List<Symbol>> byAddress = new HashMap<>();
    private final Map<String, List<Symbol>> byName = new HashMap<>();

    public void add(Symbol symbol) {
        all.add(symbol);
        byAddress.computeIfAbsent(symbol.address, any -> new ArrayList<>()).add(symbol);
        byName.computeIfAbsent(symbol.name, any -> new ArrayList<>()).add(symbol);
    }

    public SymbolIterator getAllSymbols(boolean includeDynamic) {
        return new SymbolIterator(all.stream().filter(symbol -> includeDynamic || !symbol.dynamic).iterator());
    }

    public SymbolIterator getSymbols(String name) {
        return new SymbolIterator(byName.getOrDefault(name, List.of()).iterator());
    }

    public Symbol[] getSymbols(Address address) {
        return byAddress.getOrDefault(address, List.of()).toArray(Symbol[]::new);
    }

    public Symbol getPrimarySymbol(Address address) {
        Symbol[] here = getSymbols(address);
        for (Symbol symbol : here) if (symbol.type == SymbolType.FUNCTION) return symbol;
        return here.length == 0 ? null : here[0];
    }

    public boolean isExternalEntryPoint(Address address) {
        for (Symbol symbol : getSymbols(address)) if (symbol.entryPoint) return true;
        return false;
    }
}
