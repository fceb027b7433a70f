package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Variable;
import ghidra.program.model.symbol.Reference;
import ghidra.program.model.symbol.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is known of one function. */
final class ProcedureFacts {
    static final int MOST_LOCALS = 500;

    private ProcedureFacts() {
    }

    static Map<String, Object> item(Held held, Procedures.Placed placed) {
        Function function = placed.function();
        return Members.of("address", held.text(placed.at()))
                .all(Texts.shown(function.getName(), Texts.LIST_VALUE))
                .and("procedure", Members.of("size", size(function))
                        .and("sources", sources(held, placed))
                        .and("name_source", nameSource(held, placed))
                        .and("external", Procedures.isImport(function))
                        .and("thunk", function.isThunk())
                        .and("thunk_target", thunkTarget(function))
                        .map())
                .map();
    }

    static Answer info(Held held, Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        Function function = placed.function();
        Members value = Members.of("name", Texts.name(function.getName()))
                .and("entrypoint", held.text(placed.at()))
                .and("length", size(function))
                .and("basicblock_count", Held.hasBody(function) ? Blocks.of(held, function, work).size() : null)
                .and("signature", signature(function))
                .and("locals", locals(function, MOST_LOCALS))
                .and("classification", classification(function));
        return new Answer(value.map()).at(held.text(placed.at())).limited(noSignature(function));
    }

    static Answer containing(Held held, Params params) {
        Address address = held.address(params, "address");
        Members value = Members.of("found", false).and("query_address", held.text(address));
        if (!held.places.isMapped(address)) {
            return new Answer(value.and("reason", "outside_segments").and("procedure", null).map()).at(held.text(address));
        }
        Procedures.Placed placed = held.procedures.containing(address);
        if (placed == null) return new Answer(value.and("reason", "not_in_procedure").and("procedure", null).map()).at(held.text(address));
        Map<String, Object> procedure = Members.of("address", held.text(placed.at())).and("name", Texts.name(placed.function().getName())).map();
        return new Answer(Members.of("found", true).and("query_address", held.text(address)).and("procedure", procedure).map())
                .at(held.text(address));
    }

    static Map<String, Object> classification(Function function) {
        boolean isImport = Procedures.isImport(function);
        return Members.of("external", isImport)
                .and("thunk", function.isThunk())
                .and("thunk_target", thunkTarget(function))
                .and("provenance", isImport ? "import, or a stub of one" : function.isThunk() ? "code that only jumps on" : "code of this program")
                .map();
    }

    /** Null while Ghidra only has its default for it. */
    static String signature(Function function) {
        return function.getSignatureSource() == SourceType.DEFAULT ? null : Texts.name(function.getPrototypeString(false, false));
    }

    static String noSignature(Function function) {
        return function.getSignatureSource() == SourceType.DEFAULT ? "Ghidra has no signature of this procedure." : null;
    }

    static List<Object> locals(Function function, int most) {
        List<Object> locals = new ArrayList<>();
        if (!Held.hasBody(function)) return locals;
        for (Variable variable : function.getLocalVariables()) {
            if (locals.size() == most) break;
            String description = variable.getDataType().getName() + " " + variable.getName() + " at " + variable.getVariableStorage();
            locals.add(Members.of("description", Texts.name(description)).and("provenance", source(variable.getSource())).map());
        }
        return locals;
    }

    static String source(SourceType source) {
        return source.name().toLowerCase(Locale.ROOT);
    }

    private static Long size(Function function) {
        return Held.hasBody(function) ? Long.valueOf(function.getBody().getNumAddresses()) : null;
    }

    private static String thunkTarget(Function function) {
        Function target = function.isThunk() ? function.getThunkedFunction(true) : null;
        return target == null ? null : Texts.name(target.getName());
    }

    private static String nameSource(Held held, Procedures.Placed placed) {
        if (Procedures.isImport(placed.function())) return "import";
        if (placed.function().getSymbol().getSource() != SourceType.IMPORTED) return "generated";
        return held.program.getSymbolTable().isExternalEntryPoint(placed.at()) ? "export" : "symbol";
    }

    /** Of why Ghidra took this for a function, what the program still shows. */
    private static List<Object> sources(Held held, Procedures.Placed placed) {
        List<Object> sources = new ArrayList<>();
        if (placed.function().getSymbol().getSource() == SourceType.IMPORTED) sources.add("symbol");
        if (held.program.getSymbolTable().isExternalEntryPoint(placed.at())) sources.add("export");
        for (Reference reference : held.program.getReferenceManager().getReferencesTo(placed.at())) {
            if (!reference.getReferenceType().isCall()) continue;
            sources.add("call-target");
            break;
        }
        return sources;
    }
}
