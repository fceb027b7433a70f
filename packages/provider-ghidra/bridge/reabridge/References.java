package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Instruction;
import ghidra.program.model.symbol.Reference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Who refers to what. Imports are where their stub or slot stands. */
final class References {
    /** A reference between shown places. */
    record Link(Address from, Address to, String kind, int operand) {
    }

    private static final Comparator<Link> BY_PLACE =
            Comparator.comparing(Link::from).thenComparing(Link::to).thenComparing(Link::operand);

    private References() {
    }

    static Answer callers(Held held, Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        return addresses(held, params, callersOf(held, placed, work)).at(held.text(placed.at()));
    }

    static Answer callees(Held held, Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        return addresses(held, params, calleesOf(held, placed, work)).at(held.text(placed.at()));
    }

    static Answer to(Held held, Params params, Work work) {
        Address address = held.address(params, "address");
        held.procedures.all(work);
        TreeSet<Address> from = new TreeSet<>();
        linksTo(held, address, work).forEach(link -> from.add(link.from()));
        return addresses(held, params, new ArrayList<>(from)).at(held.text(address));
    }

    static Answer ofProcedure(Held held, Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        int most = params.integer("max_instructions", 1, 5_000);
        String direction = params.text("direction", 16);
        List<Instruction> all = Code.of(held, placed.function(), Code.MOST_INSTRUCTIONS, work);
        List<Instruction> scanned = all.subList(0, Math.min(most, all.size()));
        boolean cut = scanned.size() < all.size();
        List<Link> links = direction.equals("outgoing") ? outgoing(held, scanned, work) : incoming(held, placed, scanned, work);
        List<Object> omissions = !cut ? List.of()
                : List.of(Pages.omission("instructions", "limit_items", (long) all.size() - scanned.size(), (long) most,
                        "Raise max_instructions, or page read_function_instructions."));
        return new Answer(Members.of("procedure", held.text(placed.at()))
                .and("direction", direction)
                .and("references", Pages.page(links, params, 500, link -> item(held, link), omissions))
                .and("instructions_scanned", scanned.size())
                .and("instruction_scan_truncated", cut)
                .map()).at(held.text(placed.at()));
    }

    static List<Object> from(Held held, Instruction instruction) {
        List<Object> items = new ArrayList<>();
        linksFrom(held, instruction.getMinAddress()).stream().sorted(BY_PLACE).forEach(link -> items.add(item(held, link)));
        return items;
    }

    static Map<String, Object> item(Held held, Link link) {
        return Members.of("from", held.text(link.from()))
                .and("to", held.text(link.to()))
                .and("kind", link.kind())
                .and("operand_index", link.operand() < 0 ? null : link.operand())
                .map();
    }

    static List<Link> outgoing(Held held, List<Instruction> scanned, Work work) {
        List<Link> links = new ArrayList<>();
        for (Instruction instruction : scanned) {
            work.check();
            links.addAll(linksFrom(held, instruction.getMinAddress()));
        }
        links.sort(BY_PLACE);
        return links;
    }

    /** To the entry from anywhere, and to the other instructions from outside of the function. */
    static List<Link> incoming(Held held, Procedures.Placed placed, List<Instruction> scanned, Work work) {
        List<Link> links = new ArrayList<>(linksTo(held, placed.at(), work));
        Function function = placed.function();
        for (Instruction instruction : scanned) {
            Address at = instruction.getMinAddress();
            if (at.equals(placed.at())) continue;
            for (Link link : linksTo(held, at, work)) {
                if (!function.getBody().contains(link.from())) links.add(link);
            }
        }
        links.sort(BY_PLACE);
        return links;
    }

    /** Entries of functions that call it directly, by address. */
    static List<Address> callersOf(Held held, Procedures.Placed placed, Work work) {
        TreeSet<Address> entries = new TreeSet<>();
        for (Link link : linksTo(held, placed.at(), work)) {
            boolean throughSlot = held.procedures.isSlot(placed.at()) && isCallAt(held, link.from());
            if (!"call".equals(link.kind()) && !throughSlot) continue;
            Procedures.Placed caller = held.procedures.containing(link.from());
            if (caller != null) entries.add(caller.at());
        }
        return new ArrayList<>(entries);
    }

    /** Entries of functions that it calls directly, by address. */
    static List<Address> calleesOf(Held held, Procedures.Placed placed, Work work) {
        TreeSet<Address> entries = new TreeSet<>();
        for (Instruction instruction : Code.of(held, placed.function(), Code.MOST_INSTRUCTIONS, work)) {
            if (!instruction.getFlowType().isCall()) continue;
            for (Link link : linksFrom(held, instruction.getMinAddress())) {
                if (link.kind() == null || (!link.kind().equals("call") && !held.procedures.isSlot(link.to()))) continue;
                Procedures.Placed callee = held.procedures.at(link.to(), work);
                if (callee != null) entries.add(callee.at());
            }
        }
        return new ArrayList<>(entries);
    }

    private static boolean isCallAt(Held held, Address address) {
        Instruction instruction = held.program.getListing().getInstructionAt(address);
        return instruction != null && instruction.getFlowType().isCall();
    }

    /** References to an address, and to what stands there in place of what lies outside. */
    private static List<Link> linksTo(Held held, Address address, Work work) {
        List<Link> links = new ArrayList<>();
        add(held, address, address, links, work);
        Function imported = held.procedures.importedAt(address);
        if (imported != null) add(held, imported.getEntryPoint(), address, links, work);
        links.sort(BY_PLACE);
        return links;
    }

    private static void add(Held held, Address asked, Address shownAs, List<Link> links, Work work) {
        for (Reference reference : held.program.getReferenceManager().getReferencesTo(asked)) {
            work.check();
            Address from = reference.getFromAddress();
            if (!held.places.isMapped(from) || from.equals(shownAs) || reference.getReferenceType().isFallthrough()) continue;
            links.add(new Link(from, shownAs, Code.kind(reference.getReferenceType()), reference.getOperandIndex()));
        }
    }

    private static List<Link> linksFrom(Held held, Address from) {
        List<Link> links = new ArrayList<>();
        for (Reference reference : held.program.getReferenceManager().getReferencesFrom(from)) {
            Address to = held.places.shown(reference.getToAddress());
            if (to == null || reference.getReferenceType().isFallthrough()) continue;
            links.add(new Link(from, to, Code.kind(reference.getReferenceType()), reference.getOperandIndex()));
        }
        return links;
    }

    private static Answer addresses(Held held, Params params, List<Address> all) {
        return new Answer(Pages.page(all, params, 500, held::text, List.of()));
    }
}
