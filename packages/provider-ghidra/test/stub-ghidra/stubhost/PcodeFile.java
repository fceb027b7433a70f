package stubhost;

import ghidra.program.model.address.Address;
import ghidra.program.model.pcode.HighParam;
import ghidra.program.model.pcode.HighVariable;
import ghidra.program.model.pcode.PcodeOpAST;
import ghidra.program.model.pcode.Varnode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Operations of a function's file: `{op, at, out, in}`. A value is its name, `#7` a constant, `@0x…` a place, `$0:name` the
 * parameter of that slot, `!name` what is there at the entry.
 */
final class PcodeFile {
    private final Map<String, Varnode> values = new HashMap<>();
    private final Function<String, Address> address;

    PcodeFile(Function<String, Address> address) {
        this.address = address;
    }

    List<PcodeOpAST> read(List<Fields> operations) {
        return operations.stream().map(this::operation).toList();
    }

    private PcodeOpAST operation(Fields fields) {
        PcodeOpAST operation = new PcodeOpAST();
        operation.mnemonic = fields.text("op", "COPY");
        operation.at = address.apply(fields.text("at", "0x0"));
        operation.output = fields.has("out") ? value(fields.text("out", "")) : null;
        operation.inputs = fields.values("in").stream().map(each -> value((String) each)).toList();
        return operation;
    }

    private Varnode value(String text) {
        return values.computeIfAbsent(text, any -> {
            Varnode value = new Varnode();
            String rest = text.substring(1);
            switch (text.charAt(0)) {
                case '#':
                    value.isConstant = true;
                    value.constant = Long.parseLong(rest);
                    break;
                case '@':
                    value.address = address.apply(rest);
                    break;
                case '$':
                    String[] parts = rest.split(":");
                    value.isInput = true;
                    value.high = new HighParam(parts[1], Integer.parseInt(parts[0]));
                    break;
                case '!':
                    value.isInput = true;
                    value.high = new HighVariable(rest);
                    break;
                default:
                    value.high = new HighVariable(text);
            }
            return value;
        });
    }
}
