package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.lang.OperandType;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Instruction;
import ghidra.program.model.listing.InstructionIterator;
import ghidra.program.model.mem.MemoryAccessException;
import ghidra.program.model.symbol.FlowType;
import ghidra.program.model.symbol.RefType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Instructions of the program, in words of the other side. */
final class Code {
    static final int MOST_INSTRUCTIONS = 100_000;
    private static final int CHECK_EVERY = 1_024;

    private Code() {
    }

    /** The instructions of a function by address, at most so many and one more, which tells that there are more. */
    static List<Instruction> of(Held held, Function function, int most, Work work) {
        List<Instruction> found = new ArrayList<>();
        if (!Held.hasBody(function)) return found;
        InstructionIterator all = held.program.getListing().getInstructions(function.getBody(), true);
        while (all.hasNext() && found.size() <= most) {
            if (found.size() % CHECK_EVERY == 0) work.check();
            found.add(all.next());
        }
        return found;
    }

    static Map<String, Object> item(Held held, Instruction instruction) {
        return Members.of("address", held.text(instruction.getMinAddress()))
                .and("bytes_hex", bytes(instruction))
                .and("text", Texts.name(instruction.toString()))
                .and("length", instruction.getLength())
                .map();
    }

    static String bytes(Instruction instruction) {
        try {
            StringBuilder hex = new StringBuilder();
            for (byte b : instruction.getBytes()) hex.append(String.format("%02x", b));
            return hex.toString();
        } catch (MemoryAccessException unreadable) {
            return "";
        }
    }

    /** What an instruction does to control flow. */
    static String flow(Instruction instruction) {
        FlowType flow = instruction.getFlowType();
        if (flow.isCall()) return flow.isComputed() ? "indirect_call" : "call";
        if (flow.isJump()) return flow.isComputed() ? "indirect_jump" : flow.isConditional() ? "conditional_jump" : "jump";
        if (flow.isTerminal()) return "return";
        return flow.isFallthrough() ? "sequential" : "trap";
    }

    /** Null for a reference whose kind Ghidra does not say. */
    static String kind(RefType type) {
        if (type.isCall()) return "call";
        if (type.isJump()) return "jump";
        if (type.isWrite()) return "write";
        if (type.isRead() || type.isIndirect()) return "read";
        return type.isData() ? "address" : null;
    }

    static List<Object> operands(Instruction instruction) {
        List<Object> operands = new ArrayList<>();
        for (int i = 0; i < instruction.getNumOperands(); i++) {
            operands.add(Members.of("text", Texts.name(instruction.getDefaultOperandRepresentation(i)))
                    .and("kind", operandKind(instruction.getOperandType(i)))
                    .and("access", access(instruction.getOperandRefType(i)))
                    .map());
        }
        return operands;
    }

    private static String operandKind(int type) {
        if (OperandType.isDynamic(type) || OperandType.isIndirect(type)) return "memory";
        if (OperandType.isRegister(type)) return "register";
        if (OperandType.isAddress(type)) return "address";
        return OperandType.isScalar(type) ? "immediate" : "other";
    }

    private static String access(RefType type) {
        if (type == null) return null;
        if (type.isRead() && type.isWrite()) return "read_write";
        return type.isRead() ? "read" : type.isWrite() ? "write" : null;
    }

    /** `address  instruction`, then ` ; ` and what its references lead to outside of the function. */
    static String line(Held held, Function function, Instruction instruction) {
        StringBuilder line = new StringBuilder(held.text(instruction.getMinAddress())).append("  ").append(Texts.name(instruction.toString()));
        String before = "  ; ";
        for (ghidra.program.model.symbol.Reference reference : held.program.getReferenceManager().getReferencesFrom(instruction.getMinAddress())) {
            Address to = held.places.shown(reference.getToAddress());
            if (to == null || function.getBody().contains(to)) continue;
            String note = note(held, to);
            if (note == null || line.indexOf(note) >= 0) continue;
            line.append(before).append(note);
            before = ", ";
        }
        return line.toString();
    }

    private static String note(Held held, Address to) {
        String name = held.names.statedAt(to);
        if (name != null) return oneLine(name);
        Strings.Found string = held.strings.at(to);
        return string == null ? null : "\"" + oneLine(string.value()) + "\"";
    }

    /** A listing has one line for each instruction, whatever names and strings hold. */
    private static String oneLine(String text) {
        String cut = Texts.cut(text, 60);
        StringBuilder shown = new StringBuilder();
        cut.codePoints().forEach(c -> {
            if (c < 0x20 || c == 0x7f) shown.append(String.format("\\x%02x", c));
            else shown.appendCodePoint(c);
        });
        return cut.length() < text.length() ? shown.append('…').toString() : shown.toString();
    }
}
