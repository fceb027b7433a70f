package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Program;
import ghidra.program.model.symbol.SourceType;
import ghidra.program.model.symbol.Symbol;
import ghidra.program.model.symbol.SymbolType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Names that something states: those that Ghidra makes up from addresses are none. */
final class Names {
    record Named(Address at, Symbol symbol) {
    }

    private final Program program;
    private final Places places;
    private final Inventory<Symbol> inventory;
    private List<Named> all;

    Names(Program program, Places places) {
        this.program = program;
        this.places = places;
        this.inventory = new Inventory<>("listing_names", program.getSymbolTable().getAllSymbols(false).iterator());
    }

    /** By address, then by name. Imports have their places once procedures were listed. */
    List<Named> all(Procedures procedures, Work work) {
        if (all != null) return all;
        procedures.all(work);
        // A stub, its import and what Ghidra makes up for it have one name at one place.
        Map<List<Object>, Named> found = new LinkedHashMap<>();
        for (Symbol symbol : inventory.read(work)) {
            SymbolType type = symbol.getSymbolType();
            if (type != SymbolType.LABEL && type != SymbolType.FUNCTION) continue;
            Address at = places.shown(symbol.getAddress());
            if (at == null || !isStated(symbol)) continue;
            found.merge(List.of(at, symbol.getName()), new Named(at, symbol), (one, other) -> other.symbol().isExternal() ? other : one);
        }
        all = new ArrayList<>(found.values());
        all.sort(Comparator.comparing(Named::at).thenComparing(named -> named.symbol().getName()));
        return all;
    }

    boolean isCut() {
        return inventory.isCut();
    }

    /** The main name of an address, that of a function Ghidra named too; null for none and for labels made from addresses. */
    String at(Address address) {
        Symbol symbol = program.getSymbolTable().getPrimarySymbol(address);
        return symbol == null || symbol.isDynamic() ? null : Texts.name(symbol.getName());
    }

    /** Null also for a name that Ghidra made from the address. */
    String statedAt(Address address) {
        Symbol symbol = program.getSymbolTable().getPrimarySymbol(address);
        return symbol == null || !isStated(symbol) ? null : Texts.name(symbol.getName());
    }

    Map<String, Object> item(Named named) {
        Symbol symbol = named.symbol();
        String library = symbol.isExternal() ? Texts.nameOrNull(symbol.getParentNamespace().getName()) : null;
        boolean isPublic = symbol.isExternalEntryPoint();
        return Members.of("address", places.text(named.at()))
                .all(Texts.shown(symbol.getName(), Texts.LIST_VALUE))
                .and("symbol", Members.of("kind", symbol.getSymbolType() == SymbolType.FUNCTION ? "function" : "label")
                        .and("binding", isPublic ? "global" : null)
                        .and("source", symbol.getSource().name().toLowerCase(Locale.ROOT))
                        .and("library", library)
                        .map())
                .map();
    }

    private static boolean isStated(Symbol symbol) {
        return !symbol.isDynamic() && symbol.getSource() != SourceType.DEFAULT;
    }
}
