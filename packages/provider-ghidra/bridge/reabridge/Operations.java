package reabridge;

import ghidra.program.model.address.Address;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Everything that can be asked of the bridge, by name. */
public final class Operations {
    private interface Handler {
        Answer answer(Params params, Work work);
    }

    private final Supplier<Map<String, Object>> greeting;
    private final boolean admitted;
    private final Decompiler decompiler;
    private final Map<String, Handler> handlers = new LinkedHashMap<>();

    /** `greeting` is what `ping` tells, but for the operations; `admitted` says whether anything else is answered. */
    public Operations(Held held, Supplier<Map<String, Object>> greeting, boolean admitted) {
        this.greeting = greeting;
        this.admitted = admitted;
        Searches searches = new Searches(held);
        decompiler = new Decompiler(held);
        lists(held);
        procedures(held);
        places(held);
        add("search_procedures", (params, work) -> searches.procedures(search(params), work));
        add("search_strings", (params, work) -> searches.strings(search(params), work));
        add("procedure_pseudo_code", (params, work) -> decompiler.pseudocode(params.only("procedure"), work));
        add("procedure_values", (params, work) -> decompiler.values(params.only("procedure"), work));
        add("decompile_function", (params, work) -> decompiler.dossier(params.only("procedure"), work));
    }

    public void close() {
        decompiler.close();
    }

    Object answer(String method, Params params, Work work) {
        if (method.equals("ping")) {
            params.only();
            Map<String, Object> told = new LinkedHashMap<>(greeting.get());
            told.put("operations", new ArrayList<>(handlers.keySet()));
            return told;
        }
        if (!admitted) throw new Refused("target_mismatch", "The program is not the one that was admitted.");
        Handler handler = handlers.get(method);
        if (handler == null) throw new Refused("unknown_method", "The bridge has no such method.");
        return handler.answer(params, work).wrapped();
    }

    private void lists(Held held) {
        add("list_documents", (params, work) -> new Answer(Pages.page(List.of("target"), paged(params), 500, name -> name, List.of())));
        add("list_segments", (params, work) -> Segments.list(held, paged(params)));
        add("list_procedures", (params, work) -> {
            List<Procedures.Placed> all = held.procedures.all(work);
            List<Object> omissions = Pages.cut("procedures", held.procedures.isCut());
            return new Answer(Pages.page(all, paged(params), 500, placed -> ProcedureFacts.item(held, placed), omissions));
        });
        add("list_names", (params, work) -> {
            List<Names.Named> all = held.names.all(held.procedures, work);
            if (params.has("address")) {
                Address at = held.address(params, "address");
                all = all.stream().filter(named -> named.at().equals(at)).toList();
            }
            List<Object> omissions = Pages.cut("names", held.names.isCut());
            return new Answer(Pages.page(all, filtered(params), 500, held.names::item, omissions))
                    .limited("Names that Ghidra made up from addresses are not listed; list_procedures has those of procedures.");
        });
        add("list_strings", (params, work) -> {
            List<Strings.Found> all = held.strings.all(work);
            if (params.has("address")) {
                Address at = held.address(params, "address");
                all = all.stream().filter(string -> string.at().equals(at)).toList();
            }
            List<Object> omissions = Pages.cut("strings", held.strings.isCut());
            return new Answer(Pages.page(all, filtered(params), 500, held.strings::item, omissions)).limited(Strings.SEARCHED);
        });
    }

    private void procedures(Held held) {
        add("procedure_address", (params, work) -> {
            String entry = held.text(held.procedure(params.only("procedure"), work).at());
            return new Answer(entry).at(entry);
        });
        add("procedure_info", (params, work) -> ProcedureFacts.info(held, params.only("procedure"), work));
        add("procedure_assembly", (params, work) -> Listings.assembly(held, params.only("procedure"), work));
        add("procedure_callers", (params, work) -> References.callers(held, params.only("procedure", "offset", "limit"), work));
        add("procedure_callees", (params, work) -> References.callees(held, params.only("procedure", "offset", "limit"), work));
        add("procedure_references", (params, work) -> References.ofProcedure(held,
                params.only("procedure", "direction", "offset", "limit", "max_instructions"), work));
        add("read_function_instructions", (params, work) -> Listings.instructions(held, params.only("procedure", "offset", "limit"), work));
        add("function_dossier", (params, work) -> Dossier.of(held, params.only("procedure", "limit", "offsets"), work));
        add("function_listing", (params, work) -> Listings.part(held, params.only("procedure", "offset", "limit"), work));
    }

    private void places(Held held) {
        add("resolve_containing_procedure", (params, work) -> ProcedureFacts.containing(held, params.only("address")));
        add("xrefs", (params, work) -> References.to(held, params.only("address", "offset", "limit"), work));
        add("address_name", (params, work) -> {
            if (!params.only("address").has("address")) throw new Refused("address_required", "There is no cursor.");
            Address address = held.address(params, "address");
            held.procedures.all(work);
            return new Answer(held.nameAt(address)).at(held.text(address));
        });
        add("inspect_native_instruction", (params, work) -> Listings.inspect(held, params.only("address")));
        add("inspect_native_data_type", (params, work) -> DataTypes.inspect(held, params.only("type", "address"), work));
        add("resolve_native_call_targets", (params, work) -> Listings.callTargets(held, params.only("address"), work));
    }

    private void add(String name, Handler handler) {
        handlers.put(name, handler);
    }

    private static Params paged(Params params) {
        return params.only("offset", "limit");
    }

    private static Params filtered(Params params) {
        return params.only("offset", "limit", "address");
    }

    private static Params search(Params params) {
        return params.only("pattern", "mode", "case_sensitive", "offset", "limit");
    }
}
