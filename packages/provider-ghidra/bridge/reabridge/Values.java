package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.pcode.HighFunction;
import ghidra.program.model.pcode.HighParam;
import ghidra.program.model.pcode.HighVariable;
import ghidra.program.model.pcode.PcodeOp;
import ghidra.program.model.pcode.PcodeOpAST;
import ghidra.program.model.pcode.Varnode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Definitions and uses of one function's values, from the decompiler's own operations: every variable is set once there, so a
 * use has one definition. Nodes are numbered in the order in which the operations stand.
 */
final class Values {
    private static final int MOST_NODES = 3_000;
    private static final int TEXT_CODE_POINTS = 80;

    private final Held held;
    private final Work work;
    private final List<Object> nodes = new ArrayList<>();
    private final List<Object> edges = new ArrayList<>();
    private final List<Object> parameters = new ArrayList<>();
    private final List<Object> returns = new ArrayList<>();
    private final List<Object> calls = new ArrayList<>();
    private final Map<Varnode, Integer> definitions = new IdentityHashMap<>();
    private boolean cut;

    private Values(Held held, Work work) {
        this.held = held;
        this.work = work;
    }

    static Map<String, Object> of(Held held, HighFunction high, Work work) {
        Values values = new Values(held, work);
        List<PcodeOp> operations = new ArrayList<>();
        for (Iterator<PcodeOpAST> all = high.getPcodeOps(); all.hasNext();) operations.add(all.next());
        // Definitions first: a merge uses what is only set behind it.
        List<Integer> own = new ArrayList<>();
        for (PcodeOp operation : operations) own.add(values.define(operation));
        for (int i = 0; i < operations.size(); i++) values.use(operations.get(i), own.get(i));
        return Members.of("nodes", values.nodes)
                .and("edges", values.edges)
                .and("parameters", values.parameters)
                .and("returns", values.returns)
                .and("calls", values.calls)
                .and("cut", values.cut)
                .map();
    }

    /** The node that an operation makes; null for one that only moves control, and past the bound. */
    private Integer define(PcodeOp operation) {
        work.check();
        String kind = kind(operation);
        if (kind == null) return null;
        Varnode output = operation.getOutput();
        Varnode shown = output != null ? output : operation.getNumInputs() > 1 ? operation.getInput(1) : null;
        Integer node = add(kind, address(operation), text(operation), shown == null ? 0 : shown.getSize() * 8);
        if (node != null && output != null) definitions.put(output, node);
        if (node != null && kind.equals("return")) returns.add(node);
        return node;
    }

    private void use(PcodeOp operation, Integer node) {
        work.check();
        switch (operation.getOpcode()) {
            case PcodeOp.CALL, PcodeOp.CALLIND:
                call(operation, node);
                return;
            case PcodeOp.MULTIEQUAL:
                for (int i = 0; i < operation.getNumInputs(); i++) edge(operation.getInput(i), node, "merge");
                return;
            // Their first input names a space, a place or a formality, no value.
            case PcodeOp.LOAD, PcodeOp.STORE, PcodeOp.RETURN, PcodeOp.CBRANCH, PcodeOp.CALLOTHER:
                for (int i = 1; i < operation.getNumInputs(); i++) edge(operation.getInput(i), node, "operand");
                return;
            case PcodeOp.INDIRECT:
                edge(operation.getInput(0), node, "operand");
                return;
            default:
                for (int i = 0; i < operation.getNumInputs(); i++) edge(operation.getInput(i), node, "operand");
        }
    }

    private void call(PcodeOp operation, Integer result) {
        Varnode to = operation.getInput(0);
        boolean direct = operation.getOpcode() == PcodeOp.CALL && to.isAddress();
        Address target = direct ? held.places.shown(to.getAddress()) : null;
        Procedures.Placed callee = target == null ? null : held.procedures.at(target, work);
        List<Object> arguments = new ArrayList<>();
        for (int i = 1; i < operation.getNumInputs(); i++) {
            Varnode given = operation.getInput(i);
            Integer node = add("argument", address(operation), "argument " + i + " " + name(given), given.getSize() * 8);
            arguments.add(node);
            edge(given, node, "operand");
        }
        calls.add(Members.of("target", callee == null ? null : held.text(callee.at()))
                .and("has_body", callee != null && !Procedures.isImport(callee.function()))
                .and("result", operation.getOutput() == null ? null : result)
                .and("arguments", arguments)
                .map());
    }

    private void edge(Varnode from, Integer to, String kind) {
        Integer definition = from.isConstant() ? null : definition(from);
        if (definition != null && to != null) edges.add(List.of(definition, to, kind));
    }

    private Integer definition(Varnode value) {
        Integer known = definitions.get(value);
        if (known != null || !value.isInput()) return known;
        boolean isParameter = value.getHigh() instanceof HighParam;
        Integer node = add(isParameter ? "parameter" : "initial", null, name(value), value.getSize() * 8);
        if (node == null) return null;
        definitions.put(value, node);
        if (value.getHigh() instanceof HighParam parameter) {
            parameters.add(Members.of("slot", parameter.getSlot()).and("node", node).map());
        }
        return node;
    }

    private Integer add(String kind, String address, String text, int bits) {
        if (nodes.size() == MOST_NODES) {
            cut = true;
            return null;
        }
        String shown = Texts.cut(text, TEXT_CODE_POINTS);
        nodes.add(Members.of("address", address).and("kind", kind).and("text", shown).and("bits", bits).map());
        return nodes.size() - 1;
    }

    private static String kind(PcodeOp operation) {
        switch (operation.getOpcode()) {
            case PcodeOp.CALL, PcodeOp.CALLIND:
                return operation.getOutput() == null ? null : "call_result";
            case PcodeOp.MULTIEQUAL:
                return "merge";
            case PcodeOp.INDIRECT, PcodeOp.CALLOTHER:
                return "effect";
            case PcodeOp.LOAD:
                return "memory";
            case PcodeOp.STORE:
                return "store";
            case PcodeOp.CBRANCH, PcodeOp.BRANCHIND:
                return "condition";
            case PcodeOp.RETURN:
                return operation.getNumInputs() > 1 ? "return" : null;
            default:
                return operation.getOutput() == null ? null : "value";
        }
    }

    private String address(PcodeOp operation) {
        return held.text(operation.getSeqnum().getTarget());
    }

    /** The variable, what is done, and constants; other operands are edges. */
    private static String text(PcodeOp operation) {
        StringBuilder text = new StringBuilder();
        String name = operation.getOutput() == null ? "" : name(operation.getOutput());
        if (!name.isEmpty()) text.append(name).append(" = ");
        text.append(operation.getMnemonic());
        for (int i = 0; i < operation.getNumInputs(); i++) {
            Varnode input = operation.getInput(i);
            boolean isValue = i > 0 || operation.getOpcode() == PcodeOp.COPY;
            if (isValue && input.isConstant() && operation.getOpcode() != PcodeOp.INDIRECT) text.append(" 0x").append(Long.toHexString(input.getOffset()));
        }
        return text.toString();
    }

    private static String name(Varnode value) {
        HighVariable high = value.getHigh();
        if (value.isConstant()) return "0x" + Long.toHexString(value.getOffset());
        return high == null || high.getName() == null ? "" : high.getName();
    }
}
