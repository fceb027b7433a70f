package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Parameter;
import ghidra.program.model.pcode.HighFunction;
import ghidra.program.model.pcode.JumpTable;
import ghidra.program.model.symbol.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** How a function is called, and where its switches lead, as Ghidra sees it. */
final class NativeApi {
    private static final int MOST_PARAMETERS = 64;
    private static final int MOST_TABLES = 4;
    private static final int MOST_TARGETS = 256;
    /** Stands for the guard's way out in a table's labels. */
    private static final int DEFAULT_LABEL = 0xbad1abe1;

    private NativeApi() {
    }

    static Map<String, Object> of(Held held, Function function, HighFunction high) {
        String source = ProcedureFacts.source(function.getSignatureSource());
        boolean known = function.getSignatureSource() != SourceType.DEFAULT;
        List<Object> truncated = new ArrayList<>();
        Parameter[] parameters = function.getParameters();
        JumpTable[] tables = high == null || high.getJumpTables() == null ? new JumpTable[0] : high.getJumpTables();
        cut(truncated, "parameters", parameters.length, MOST_PARAMETERS);
        cut(truncated, "jump_tables", tables.length, MOST_TABLES);
        List<Object> shownParameters = new ArrayList<>();
        for (int i = 0; i < Math.min(parameters.length, MOST_PARAMETERS); i++) shownParameters.add(parameter(parameters[i], source));
        List<Object> shownTables = new ArrayList<>();
        for (int i = 0; i < Math.min(tables.length, MOST_TABLES); i++) {
            Map<String, Object> table = table(held, tables[i], truncated);
            if (table != null) shownTables.add(table);
        }
        String convention = function.getCallingConventionName();
        boolean named = convention != null && !convention.equals("unknown") && !convention.equals("default");
        String returned = Texts.name(function.getReturnType().getName());
        return Members.of("available", true)
                .and("calling_convention", named ? Members.of("name", convention).and("basis", List.of("Ghidra, " + source)).map() : null)
                .and("parameters", shownParameters)
                .and("variadic", function.hasVarArgs()
                        ? Members.of("named_registers", shownParameters.size()).and("basis", "Ghidra, " + source).map() : null)
                .and("return_type", known ? returned : null)
                .and("return_value", function.hasNoReturn()
                        ? Members.of("kind", "does_not_return").and("basis", "Ghidra, " + source).map() : null)
                .and("signature_source", source)
                .and("jump_tables", shownTables)
                .and("artifacts", List.of())
                .and("frame", null)
                .and("loops", List.of())
                .and("truncated", truncated)
                .and("unknowns", List.of("Stack frame and loops are not asked of Ghidra."))
                .map();
    }

    private static Map<String, Object> parameter(Parameter parameter, String source) {
        return Members.of("position", parameter.getOrdinal())
                .and("location", Texts.name(String.valueOf(parameter.getVariableStorage())))
                .and("kind", "unknown")
                .and("basis", Texts.name(parameter.getDataType().getName() + " " + parameter.getName() + " (Ghidra, " + source + ")"))
                .map();
    }

    private static Map<String, Object> table(Held held, JumpTable table, List<Object> truncated) {
        String jump = held.text(table.getSwitchAddress());
        if (jump == null || table.isEmpty()) return null;
        Address[] places = table.getCases();
        Object[] labels = table.getLabelValues();
        Map<Address, TreeSet<Long>> cases = new TreeMap<>();
        Address otherwise = null;
        Long lowest = null;
        for (int i = 0; i < places.length; i++) {
            Address to = held.places.shown(places[i]);
            Long label = labels != null && i < labels.length && labels[i] instanceof Number number ? Long.valueOf(number.longValue()) : null;
            if (to == null) continue;
            if (label != null && label.intValue() == DEFAULT_LABEL) {
                otherwise = to;
                continue;
            }
            TreeSet<Long> values = cases.computeIfAbsent(to, any -> new TreeSet<>());
            if (label == null) continue;
            values.add(label);
            lowest = lowest == null || label < lowest ? label : lowest;
        }
        cut(truncated, "targets of " + jump, cases.size(), MOST_TARGETS);
        List<Object> targets = new ArrayList<>();
        cases.forEach((to, values) -> {
            if (targets.size() < MOST_TARGETS) targets.add(Members.of("address", held.text(to)).and("cases", runs(values)).map());
        });
        JumpTable.LoadTable[] loads = table.getLoadTables();
        JumpTable.LoadTable load = loads != null && loads.length == 1 ? loads[0] : null;
        return Members.of("jump", jump)
                .and("address", load == null ? null : held.text(load.getAddress()))
                .and("entry_bytes", load == null ? null : load.getSize())
                .and("entries", places.length - (otherwise == null ? 0 : 1))
                .and("bound_basis", "decompiler")
                .and("numbering", lowest == null ? "index" : "value")
                .and("lowest", lowest == null ? null : lowest.toString())
                .and("index_table", null)
                .and("default", otherwise == null ? null : held.text(otherwise))
                .and("targets", targets)
                .map();
    }

    /** Ascending; a run of three or more is written `first..last`. */
    static List<Object> runs(TreeSet<Long> values) {
        List<Object> runs = new ArrayList<>();
        List<Long> all = new ArrayList<>(values);
        for (int i = 0; i < all.size();) {
            int end = i;
            while (end + 1 < all.size() && all.get(end + 1) == all.get(end) + 1) end++;
            if (end - i >= 2) runs.add(all.get(i) + ".." + all.get(end));
            else for (int each = i; each <= end; each++) runs.add(all.get(each).toString());
            i = end + 1;
        }
        return runs;
    }

    private static void cut(List<Object> truncated, String part, int total, int most) {
        if (total > most) truncated.add(Members.of("part", part).and("total", total).map());
    }
}
