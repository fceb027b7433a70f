package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Instruction;
import ghidra.program.model.listing.Listing;
import ghidra.program.model.symbol.Reference;
import java.util.ArrayList;
import java.util.List;

/** What stands at addresses: instructions of a function, and of one place. */
final class Listings {
    private static final String CUT = "Only the first 100000 instructions were looked at.";

    private Listings() {
    }

    static Answer instructions(Held held, Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        List<Instruction> all = Code.of(held, placed.function(), Code.MOST_INSTRUCTIONS, work);
        boolean cut = all.size() > Code.MOST_INSTRUCTIONS;
        List<Instruction> scanned = cut ? all.subList(0, Code.MOST_INSTRUCTIONS) : all;
        List<Object> omissions = cut
                ? List.of(Pages.omission("instructions", "limit_items", null, (long) Code.MOST_INSTRUCTIONS, null))
                : List.of();
        var page = Pages.page(scanned, params, 500, instruction -> Code.item(held, instruction), omissions);
        List<String> limitations = cut ? List.of(CUT) : List.of();
        String entry = held.text(placed.at());
        return new Answer(Members.of("procedure", entry)
                .and("instructions", page)
                .and("instructions_scanned", ((List<?>) page.get("items")).size())
                .and("instruction_scan_truncated", page.get("has_more").equals(true) || cut)
                .and("limitations", limitations)
                .map()).at(entry).limited(limitations);
    }

    static Answer assembly(Held held, Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        List<String> lines = lines(held, placed, Code.MOST_INSTRUCTIONS, work);
        if (lines.size() > Code.MOST_INSTRUCTIONS) throw new Refused("answer_too_large", "The procedure has too many instructions.");
        return new Answer(String.join("\n", lines)).at(held.text(placed.at()));
    }

    /** Part of the listing, for the dossier. */
    static Answer part(Held held, Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        List<String> lines = lines(held, placed, Code.MOST_INSTRUCTIONS, work);
        if (lines.size() > Code.MOST_INSTRUCTIONS) lines = lines.subList(0, Code.MOST_INSTRUCTIONS);
        int offset = Math.min(params.offset("offset"), lines.size());
        int end = Math.min(offset + params.integer("limit", 1, 5_000), lines.size());
        long total = lines.stream().mapToLong(line -> line.length() + 1).sum();
        return new Answer(Members.of("text", String.join("\n", lines.subList(offset, end)))
                .and("total_chars", Math.max(0, total - 1))
                .and("next_offset", end < lines.size() ? end : null)
                .map()).at(held.text(placed.at()));
    }

    private static List<String> lines(Held held, Procedures.Placed placed, int most, Work work) {
        List<String> lines = new ArrayList<>();
        for (Instruction instruction : Code.of(held, placed.function(), most, work)) {
            if (lines.size() % 256 == 0) work.check();
            lines.add(Code.line(held, placed.function(), instruction));
        }
        return lines;
    }

    static Answer inspect(Held held, Params params) {
        Address address = held.address(params, "address");
        Listing listing = held.program.getListing();
        Instruction at = listing.getInstructionAt(address);
        Instruction shown = at == null ? listing.getInstructionContaining(address) : at;
        String outcome = !held.places.isMapped(address) ? "outside"
                : at != null ? "instruction"
                : shown != null ? "mid_instruction"
                : listing.getDefinedDataContaining(address) != null ? "data"
                : "undecodable";
        Members value = Members.of("outcome", outcome).and("address", held.text(address));
        if (shown == null) {
            value.and("instruction_start", null).and("bytes_hex", null).and("length", null).and("text", null).and("mnemonic", null);
            value.and("operands", List.of()).and("references", List.of()).and("flow", null);
        } else {
            value.and("instruction_start", held.text(shown.getMinAddress())).and("bytes_hex", Code.bytes(shown)).and("length", shown.getLength());
            value.and("text", Texts.name(shown.toString())).and("mnemonic", Texts.name(shown.getMnemonicString()));
            value.and("operands", Code.operands(shown)).and("references", References.from(held, shown)).and("flow", Code.flow(shown));
        }
        Answer answer = new Answer(value.map()).at(held.text(address));
        return outcome.equals("undecodable") ? answer.limited("Ghidra made neither code nor data of what stands at the address.") : answer;
    }

    static Answer callTargets(Held held, Params params, Work work) {
        Address address = held.address(params, "address");
        held.procedures.all(work);
        Instruction instruction = held.program.getListing().getInstructionAt(address);
        Answer answer = instruction == null
                ? targets("not_a_call", List.of(), "No instruction starts at this address; see inspect_native_instruction.")
                : targets(held, instruction);
        return answer.at(held.text(address));
    }

    private static Answer targets(Held held, Instruction instruction) {
        String flow = Code.flow(instruction);
        Function own = held.program.getFunctionManager().getFunctionContaining(instruction.getMinAddress());
        boolean calls = flow.equals("call") || flow.equals("indirect_call");
        boolean jumps = flow.endsWith("jump");
        if (!calls && !jumps) return targets("not_a_call", List.of(), "The instruction does not call.");
        List<Object> found = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        boolean indirect = flow.startsWith("indirect");
        for (Reference reference : held.program.getReferenceManager().getReferencesFrom(instruction.getMinAddress())) {
            boolean slot = indirect && held.procedures.isSlot(held.places.shown(reference.getToAddress()));
            if (!reference.getReferenceType().isCall() && !reference.getReferenceType().isJump() && !slot) continue;
            Address to = held.places.shown(reference.getToAddress());
            String shown = to == null ? null : held.text(to);
            boolean stays = jumps && own != null && to != null && own.getBody().contains(to);
            if (shown == null || stays || seen.contains(shown)) continue;
            seen.add(shown);
            String basis = !indirect ? (calls ? "direct call" : "direct jump to another procedure (tail call)")
                    : held.procedures.isSlot(to) ? "import slot" : "reference resolved by Ghidra";
            found.add(Members.of("address", shown).and("name", held.nameAt(to)).and("basis", basis).map());
        }
        if (found.isEmpty() && jumps) return targets("not_a_call", List.of(), "The instruction jumps inside its procedure, or Ghidra does not know where to.");
        if (found.isEmpty()) return targets("unresolved", List.of(), "Ghidra found no target in the program.");
        if (!indirect) return targets("direct", found, null);
        return targets(found.size() == 1 ? "resolved_indirect" : "ambiguous", found, "Targets are those that Ghidra's analysis found; the program may set others.");
    }

    private static Answer targets(String outcome, List<Object> targets, String limitation) {
        List<String> limitations = limitation == null ? List.of() : List.of(limitation);
        return new Answer(Members.of("outcome", outcome).and("targets", targets).and("limitations", limitations).map()).limited(limitations);
    }
}
