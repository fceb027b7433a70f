package stubhost;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressSetView;
import ghidra.program.model.address.AddressSpace;
import ghidra.program.model.listing.CodeUnit;
import ghidra.program.model.listing.CommentType;
import ghidra.program.model.listing.Data;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Instruction;
import ghidra.program.model.listing.Parameter;
import ghidra.program.model.listing.Program;
import ghidra.program.model.listing.Variable;
import ghidra.program.model.mem.MemoryBlock;
import ghidra.program.model.pcode.JumpTable;
import ghidra.program.model.symbol.RefType;
import ghidra.program.model.symbol.Reference;
import ghidra.program.model.symbol.SourceType;
import ghidra.program.model.symbol.Symbol;
import ghidra.program.model.symbol.SymbolType;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Fills a program with what its file says; see `stub-program.ts` for the form. */
final class ProgramFile {
    private final AddressSpace external = new AddressSpace("EXTERNAL", 64);
    private final AddressSpace other = new AddressSpace("OTHER", 64);
    private final Program program = new Program();
    private final TypeFile types = new TypeFile(program.types);

    static Program load(Fields file, String sha256) {
        ProgramFile loading = new ProgramFile();
        loading.program.sha256 = file.has("sha256") ? file.text("sha256", null) : sha256;
        loading.program.memory.bigEndian = file.flag("big_endian");
        loading.program.imageBase = loading.address(file.text("image_base", "0x0"));
        file.list("types").forEach(loading.types::add);
        file.list("blocks").forEach(loading::block);
        file.list("symbols").forEach(loading::symbol);
        file.list("functions").forEach(loading::function);
        file.list("functions").forEach(loading::thunk);
        file.list("instructions").forEach(loading::instruction);
        file.list("data").forEach(item -> loading.program.listing.data.put(loading.address(item.text("at", null)), loading.data(item)));
        file.list("references").forEach(loading::reference);
        file.list("comments").forEach(loading::comment);
        return loading.program;
    }

    /** `0x…`, or `EXTERNAL:0x…`, or `OTHER:0x…`. */
    private Address address(String text) {
        int colon = text.indexOf(':');
        long offset = Long.parseUnsignedLong(text.substring(colon + 3), 16);
        AddressSpace space = colon < 0 ? program.space : text.startsWith("OTHER") ? other : external;
        return new Address(space, offset);
    }

    private void block(Fields block) {
        Address start = address(block.text("start", null));
        Address end = start.add(block.number("size", 1) - 1);
        long offset = block.number("file_offset", -1);
        program.memory.blocks.add(new MemoryBlock(block.text("name", ""), start, end, block.text("permissions", "r"), offset >= 0, offset));
    }

    private Symbol symbol(Fields fields) {
        Symbol symbol = new Symbol();
        symbol.name = fields.text("name", "");
        symbol.address = address(fields.has("at") ? fields.text("at", null) : fields.text("entry", null));
        symbol.type = SymbolType.of(fields.text("type", "label"));
        symbol.source = SourceType.valueOf(fields.text("source", "imported").toUpperCase(Locale.ROOT));
        symbol.external = symbol.address.space() == external;
        symbol.entryPoint = fields.flag("entry_point");
        symbol.dynamic = fields.flag("dynamic");
        symbol.namespace = fields.text("namespace", "Global");
        program.symbols.add(symbol);
        return symbol;
    }

    private void function(Fields fields) {
        Function function = new Function();
        function.symbol = symbol(fields);
        function.symbol.type = SymbolType.FUNCTION;
        function.external = function.symbol.external;
        Address entry = function.symbol.address;
        Address last = entry.add(fields.number("size", 1) - 1);
        List<AddressSetView.Range> more = fields.list("more").stream()
                .map(range -> new AddressSetView.Range(address(range.text("first", null)), address(range.text("last", null)))).toList();
        List<AddressSetView.Range> ranges = new java.util.ArrayList<>(List.of(new AddressSetView.Range(entry, last)));
        ranges.addAll(more);
        function.body = new AddressSetView(ranges);
        function.prototype = fields.text("prototype", null);
        function.convention = fields.text("convention", "unknown");
        function.returnType = fields.text("returns", "undefined");
        function.variadic = fields.flag("variadic");
        function.noReturn = fields.flag("no_return");
        function.pseudocode = fields.text("pseudocode", "void " + function.symbol.name + "(void)\n\n{\n  return;\n}\n");
        function.decompile = fields.text("decompile", "done");
        fields.list("parameters").forEach(each -> {
            Parameter parameter = variable(new Parameter(), each);
            parameter.ordinal = function.parameters.size();
            function.parameters.add(parameter);
        });
        fields.list("locals").forEach(each -> function.locals.add(variable(new Variable(), each)));
        function.pcode.addAll(new PcodeFile(this::address).read(fields.list("pcode")));
        fields.list("jump_tables").forEach(each -> function.jumpTables.add(table(each)));
        if (function.external) program.functions.outside.add(function);
        else program.functions.inside.put(entry, function);
    }

    private static <T extends Variable> T variable(T variable, Fields fields) {
        variable.name = fields.text("name", "");
        variable.type = fields.text("type", "undefined");
        variable.storage = fields.text("storage", "");
        return variable;
    }

    private JumpTable table(Fields fields) {
        JumpTable table = new JumpTable();
        table.jump = address(fields.text("jump", null));
        table.table = fields.has("table") ? address(fields.text("table", null)) : null;
        table.entryBytes = (int) fields.number("entry_bytes", 4);
        table.cases = fields.values("cases").stream().map(each -> address((String) each)).toList();
        table.labels = fields.values("labels").stream().map(each -> ((Long) each).intValue()).toList();
        return table;
    }

    private void thunk(Fields fields) {
        if (!fields.has("thunk_of")) return;
        Address target = address(fields.text("thunk_of", null));
        Function thunked = program.functions.outside.stream().filter(each -> each.getEntryPoint().equals(target)).findFirst()
                .orElseGet(() -> program.functions.getFunctionAt(target));
        program.functions.getFunctionAt(address(fields.text("entry", null))).thunked = thunked;
    }

    private void instruction(Fields fields) {
        Instruction instruction = new Instruction();
        instruction.address = address(fields.text("at", null));
        instruction.bytes = fields.has("bytes") ? HexFormat.of().parseHex(fields.text("bytes", "")) : null;
        instruction.length = instruction.bytes == null ? (int) fields.number("length", 1) : instruction.bytes.length;
        instruction.text = fields.text("text", "NOP");
        instruction.flow = fields.text("flow", "fallthrough");
        instruction.operandTypes = fields.values("operands").stream().map(each -> ((Long) each).intValue()).toList();
        program.listing.code.put(instruction.address, instruction);
    }

    private Data data(Fields fields) {
        Data data = new Data();
        data.address = address(fields.text("at", null));
        data.length = (int) fields.number("length", 1);
        data.string = fields.text("string", null);
        data.charset = fields.text("charset", "US-ASCII");
        data.terminated = !fields.flag("unterminated");
        data.array = fields.flag("array");
        data.type = types.named(fields.text("type", "undefined"));
        data.components = fields.list("components").stream().map(this::data).toList();
        return data;
    }

    private void reference(Fields fields) {
        RefType type = new RefType(fields.text("type", "data"));
        program.references.add(new Reference(address(fields.text("from", null)), address(fields.text("to", null)), type, (int) fields.number("operand", -1)));
    }

    private void comment(Fields fields) {
        CodeUnit unit = program.listing.getCodeUnitAt(address(fields.text("at", null)));
        unit.comments.put(CommentType.valueOf(fields.text("type", "EOL")), fields.text("text", ""));
    }
}
