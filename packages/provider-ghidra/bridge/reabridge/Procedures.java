package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.FunctionManager;
import ghidra.program.model.listing.Program;
import ghidra.program.model.symbol.Reference;
import ghidra.program.model.symbol.Symbol;
import ghidra.program.model.symbol.SymbolType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The program's functions, each where it stands in memory; imports stand at their stub or slot. */
public final class Procedures {
    /** A function and where it is shown. */
    public record Placed(Address at, Function function) {
    }

    private final Program program;
    private final Places places;
    private final FunctionManager manager;
    private final Inventory<Function> inside;
    private final Inventory<Function> outside;
    private List<Placed> all;
    private final Map<Address, Placed> imports = new HashMap<>();

    Procedures(Program program, Places places) {
        this.program = program;
        this.places = places;
        this.manager = program.getFunctionManager();
        this.inside = new Inventory<>("listing_procedures", manager.getFunctions(true).iterator());
        this.outside = new Inventory<>("listing_imports", manager.getExternalFunctions().iterator());
    }

    /** By address. */
    public List<Placed> all(Work work) {
        if (all != null) return all;
        List<Placed> found = new ArrayList<>();
        List<Function> madeUp = new ArrayList<>();
        for (Function function : inside.read(work)) {
            Address entry = function.getEntryPoint();
            if (places.shown(entry) == null) continue;
            if (places.isMadeUp(entry)) {
                madeUp.add(function);
                continue;
            }
            found.add(new Placed(entry, function));
            if (isImport(function)) places.standIn(function.getThunkedFunction(true).getEntryPoint(), entry);
        }
        for (Function function : madeUp) place(function, found, work);
        for (Function function : outside.read(work)) place(function, found, work);
        found.sort(Comparator.comparing(Placed::at));
        all = found;
        return all;
    }

    boolean isCut() {
        return inside.isCut() || outside.isCut();
    }

    /** An import without a stub stands at its slot, or else in the block that Ghidra makes up, or nowhere. */
    private void place(Function function, List<Placed> found, Work work) {
        work.check();
        Address entry = function.getEntryPoint();
        Address target = function.isThunk() ? function.getThunkedFunction(true).getEntryPoint() : entry;
        Address known = places.shown(target);
        if (known == null) known = slot(entry);
        if (known == null) known = places.shown(entry);
        if (known == null) return;
        if (!known.equals(target)) places.standIn(target, known);
        if (!known.equals(entry)) places.standIn(entry, known);
        if (imports.containsKey(known)) return;
        boolean isStub = !known.equals(entry) && manager.getFunctionAt(known) != null;
        if (isStub) return;
        Placed placed = new Placed(known, function);
        imports.put(known, placed);
        found.add(placed);
    }

    /** The first pointer in memory that the loader fills with an import; null when there is none. */
    private Address slot(Address imported) {
        Address slot = null;
        for (Reference reference : program.getReferenceManager().getReferencesTo(imported)) {
            Address from = places.shown(reference.getFromAddress());
            boolean pointer = from != null && places.isMapped(from) && program.getListing().getInstructionAt(from) == null;
            if (pointer && (slot == null || from.compareTo(slot) < 0)) slot = from;
        }
        return slot;
    }

    /** The function that starts, or stands, at an address; null when there is none. */
    public Placed at(Address address, Work work) {
        if (address == null) return null;
        all(work);
        Address shown = places.shown(address);
        Placed imported = imports.get(shown);
        if (imported != null || shown == null) return imported;
        Function function = manager.getFunctionAt(shown);
        return function == null ? null : new Placed(shown, function);
    }

    public Placed containing(Address address) {
        Function function = manager.getFunctionContaining(address);
        return function == null || places.shown(function.getEntryPoint()) == null ? null : new Placed(function.getEntryPoint(), function);
    }

    /** Whether an import is shown at this address, which is its slot. */
    boolean isSlot(Address address) {
        return address != null && imports.containsKey(address) && !places.isMadeUp(address);
    }

    /** The import that is shown at this slot; null when none is. */
    Function importedAt(Address address) {
        Placed placed = imports.get(address);
        return placed == null ? null : placed.function();
    }

    /** The function an input names, by entry address or exact name. */
    public Placed find(String text, Work work) {
        all(work);
        if (!text.matches("0[xX][0-9a-fA-F]{1,32}")) return named(text, work);
        Address address = places.parse(text);
        Placed found = at(address, work);
        if (found != null) return found;
        Placed around = address == null ? null : containing(address);
        throw new Refused("unknown_procedure", around == null ? "" : places.text(around.at()));
    }

    private Placed named(String text, Work work) {
        int last = text.lastIndexOf("::");
        Map<Address, Placed> found = new LinkedHashMap<>();
        collect(text, text, found, work);
        if (found.isEmpty() && last > 0) collect(text.substring(last + 2), text, found, work);
        List<Placed> distinct = withoutStubs(found);
        if (distinct.isEmpty()) throw new Refused("unknown_procedure", "");
        if (distinct.size() == 1) return distinct.get(0);
        StringBuilder candidates = new StringBuilder();
        distinct.stream().limit(32).forEach(placed -> candidates.append(places.text(placed.at())).append(' '));
        throw new Refused("ambiguous_procedure", candidates.toString().trim());
    }

    private void collect(String name, String whole, Map<Address, Placed> found, Work work) {
        for (Symbol symbol : program.getSymbolTable().getSymbols(name)) {
            work.check();
            boolean wanted = symbol.getSymbolType() == SymbolType.FUNCTION || symbol.getSymbolType() == SymbolType.LABEL;
            boolean matches = symbol.getName().equals(whole) || symbol.getName(true).equals(whole);
            Placed placed = wanted && matches ? at(places.shown(symbol.getAddress()), work) : null;
            if (placed != null) found.put(placed.at(), placed);
        }
    }

    /** A function and the stubs that lead to it are one: itself when it has a body here, else the first stub. */
    private static List<Placed> withoutStubs(Map<Address, Placed> found) {
        Map<Function, Placed> byTarget = new LinkedHashMap<>();
        found.values().stream().sorted(Comparator.comparing(Placed::at)).forEach(placed -> {
            Function function = placed.function();
            Function target = function.isThunk() ? function.getThunkedFunction(true) : function;
            boolean itself = target == function && !function.isExternal();
            if (itself) byTarget.put(target, placed);
            else byTarget.putIfAbsent(target, placed);
        });
        return new ArrayList<>(byTarget.values());
    }

    /** Whether it is an import, or a stub that only leads to one. */
    public static boolean isImport(Function function) {
        if (function.isExternal()) return true;
        Function target = function.isThunk() ? function.getThunkedFunction(true) : null;
        return target != null && target.isExternal();
    }
}
