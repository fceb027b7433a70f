package stubhost;

import ghidra.program.model.data.AbstractStringDataType;
import ghidra.program.model.data.Array;
import ghidra.program.model.data.BitFieldDataType;
import ghidra.program.model.data.Composite;
import ghidra.program.model.data.DataType;
import ghidra.program.model.data.DataTypeComponent;
import ghidra.program.model.data.DataTypeManager;
import ghidra.program.model.data.Enum;
import ghidra.program.model.data.FunctionDefinition;
import ghidra.program.model.data.Pointer;
import ghidra.program.model.data.Structure;
import ghidra.program.model.data.TypeDef;
import ghidra.program.model.data.Union;
import java.util.ArrayList;
import java.util.List;

/** Types of a program's file; each may name those before it. */
final class TypeFile {
    private final DataTypeManager manager;

    TypeFile(DataTypeManager manager) {
        this.manager = manager;
    }

    void add(Fields fields) {
        DataType type = made(fields);
        type.path = fields.text("path", type.path);
        type.length = (int) fields.number("size", -1);
        type.alignment = (int) fields.number("alignment", 0);
        manager.all.add(type);
    }

    /** One of the file, or a plain one by its name. */
    DataType named(String name) {
        List<DataType> found = new ArrayList<>();
        manager.findDataTypes(name, found);
        return found.isEmpty() ? new DataType(name) : found.get(0);
    }

    private DataType made(Fields fields) {
        String name = fields.text("name", "");
        switch (fields.text("kind", "base")) {
            case "struct":
                return composite(new Structure(name), fields);
            case "union":
                return composite(new Union(name), fields);
            case "enum":
                Enum choices = new Enum(name);
                fields.list("values").forEach(each -> choices.values.put(each.text("name", ""), each.number("value", 0)));
                return choices;
            case "typedef":
                TypeDef defined = new TypeDef(name);
                defined.to = named(fields.text("to", ""));
                return defined;
            case "pointer":
                Pointer pointer = new Pointer(name);
                pointer.to = fields.has("to") ? named(fields.text("to", "")) : null;
                return pointer;
            case "array":
                Array array = new Array(name);
                array.to = named(fields.text("to", ""));
                return array;
            case "bits":
                BitFieldDataType bits = new BitFieldDataType(name);
                bits.base = named(fields.text("to", ""));
                bits.bitOffset = (int) fields.number("bit_offset", 0);
                bits.bitSize = (int) fields.number("bit_size", 1);
                return bits;
            case "function":
                return new FunctionDefinition(name);
            case "string":
                return new AbstractStringDataType(name);
            default:
                return new DataType(name);
        }
    }

    private Composite composite(Composite composite, Fields fields) {
        composite.packing = (int) fields.number("packing", 0);
        composite.components = fields.list("fields").stream()
                .map(each -> new DataTypeComponent((int) each.number("offset", 0), each.text("name", null), named(each.text("type", ""))))
                .toList();
        return composite;
    }
}
