package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressIterator;
import ghidra.program.model.listing.CodeUnit;
import ghidra.program.model.listing.CommentType;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Instruction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that the program holds of one function, but for its pseudocode and its listing. */
final class Dossier {
    private static final int MOST_COMMENTS = 10_000;
    private static final int COMMENT_CODE_POINTS = 4_096;

    private record Comment(Address at, String kind, String text) {
    }

    private record Shown(Address at, String value) {
    }

    private final Held held;
    private final Params params;
    private final Work work;
    private final Params offsets;
    private final int limit;
    private final Map<String, Object> collections = new LinkedHashMap<>();

    private Dossier(Held held, Params params, Work work) {
        this.held = held;
        this.params = params;
        this.work = work;
        this.offsets = params.object("offsets");
        this.limit = params.integer("limit", 1, 500);
    }

    static Answer of(Held held, Params params, Work work) {
        return new Dossier(held, params, work).answer();
    }

    private Answer answer() {
        Procedures.Placed placed = held.procedure(params, work);
        Function function = placed.function();
        List<Instruction> all = Code.of(held, function, Code.MOST_INSTRUCTIONS, work);
        boolean cut = all.size() > Code.MOST_INSTRUCTIONS;
        List<Instruction> scanned = cut ? all.subList(0, Code.MOST_INSTRUCTIONS) : all;
        List<References.Link> outgoing = References.outgoing(held, scanned, work);
        collect("basic_blocks", Held.hasBody(function) ? Blocks.of(held, function, work) : List.of(), block -> Blocks.item(held, block, work));
        collect("callees", References.calleesOf(held, placed, work), this::named);
        collect("callers", References.callersOf(held, placed, work), this::named);
        collect("comments", comments(function), comment -> Members.of("address", held.text(comment.at()))
                .and("kind", comment.kind()).and("text", comment.text()).map());
        collect("incoming_references", References.incoming(held, placed, scanned, work), link -> References.item(held, link));
        collect("outgoing_references", outgoing, link -> References.item(held, link));
        collect("referenced_names", names(function, outgoing), this::named);
        collect("referenced_strings", strings(outgoing), shown -> Members.of("address", held.text(shown.at()))
                .all(Texts.shown(shown.value(), Texts.LIST_VALUE)).map());
        Map<String, Object> procedure = Members.of("address", held.text(placed.at()))
                .and("name", Texts.name(function.getName()))
                .and("signature", ProcedureFacts.signature(function))
                .and("locals", ProcedureFacts.locals(function, limit))
                .and("classification", ProcedureFacts.classification(function))
                .map();
        return new Answer(Members.of("procedure", procedure)
                .and("instruction_scan", Members.of("scanned", scanned.size()).and("truncated", cut).map())
                .and("collections", collections)
                .map())
                .at(held.text(placed.at()))
                .limited(ProcedureFacts.noSignature(function))
                .limited(cut ? "Only the first 100000 instructions were looked at." : null);
    }

    private <T> void collect(String name, List<T> all, java.util.function.Function<T, ?> show) {
        collections.put(name, Pages.collection(all, offsets.offset(name), limit, show));
    }

    private Map<String, Object> named(Address at) {
        return Members.of("address", held.text(at)).and("name", held.nameAt(at)).map();
    }

    private List<Comment> comments(Function function) {
        List<Comment> found = new ArrayList<>();
        if (!Held.hasBody(function)) return found;
        AddressIterator places = held.program.getListing().getCommentAddressIterator(function.getBody(), true);
        while (places.hasNext() && found.size() < MOST_COMMENTS) {
            work.check();
            CodeUnit unit = held.program.getListing().getCodeUnitAt(places.next());
            if (unit == null) continue;
            for (CommentType type : CommentType.values()) {
                String text = unit.getComment(type);
                String kind = type == CommentType.EOL ? "inline" : "comment";
                if (text != null) found.add(new Comment(unit.getMinAddress(), kind, Texts.cut(text, COMMENT_CODE_POINTS)));
            }
        }
        return found;
    }

    private List<Shown> strings(List<References.Link> outgoing) {
        Map<Address, Shown> found = new LinkedHashMap<>();
        for (References.Link link : outgoing) {
            work.check();
            Strings.Found string = found.containsKey(link.to()) ? null : held.strings.at(link.to());
            if (string != null) found.put(link.to(), new Shown(link.to(), string.value()));
        }
        List<Shown> all = new ArrayList<>(found.values());
        all.sort(java.util.Comparator.comparing(Shown::at));
        return all;
    }

    private List<Address> names(Function function, List<References.Link> outgoing) {
        java.util.TreeSet<Address> found = new java.util.TreeSet<>();
        for (References.Link link : outgoing) {
            boolean inside = Held.hasBody(function) && function.getBody().contains(link.to());
            if (!inside && (held.names.statedAt(link.to()) != null || held.procedures.isSlot(link.to()))) found.add(link.to());
        }
        return new ArrayList<>(found);
    }
}
