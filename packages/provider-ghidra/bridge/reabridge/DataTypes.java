package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.data.AbstractStringDataType;
import ghidra.program.model.data.Array;
import ghidra.program.model.data.BitFieldDataType;
import ghidra.program.model.data.Composite;
import ghidra.program.model.data.DataType;
import ghidra.program.model.data.DataTypeComponent;
import ghidra.program.model.data.Enum;
import ghidra.program.model.data.FunctionDefinition;
import ghidra.program.model.data.Pointer;
import ghidra.program.model.data.TypeDef;
import ghidra.program.model.data.Union;
import ghidra.program.model.listing.Data;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Layouts of types as Ghidra has them: from debug information, from its archives, and from its analysis. */
final class DataTypes {
    private static final int MOST_ITEMS = 2_000;
    private static final String CUT = "Only the first 2000 items are shown.";

    private DataTypes() {
    }

    static Answer inspect(Held held, Params params, Work work) {
        if (params.has("type") == params.has("address")) throw Refused.malformed("Exactly one of type and address is needed.");
        return params.has("type") ? named(held, params.text("type", 4_096)) : at(held, held.address(params, "address"), work);
    }

    private static Answer named(Held held, String text) {
        String plain = text.strip().replaceFirst("^(?:struct|union|enum|class)\\s+", "");
        String[] scopes = plain.split("::|/");
        String name = scopes.length == 0 ? plain : scopes[scopes.length - 1];
        String end = "/" + String.join("/", scopes).replaceFirst("^/+", "");
        List<DataType> found = new ArrayList<>();
        held.program.getDataTypeManager().findDataTypes(name, found);
        found.removeIf(type -> scopes.length > 1 && !type.getPathName().endsWith(end));
        if (found.isEmpty()) return unknown("Ghidra has no type of that name. The type of a variable is found by its address.");
        DataType first = found.get(0);
        boolean differ = found.stream().anyMatch(type -> !type.isEquivalent(first));
        Answer answer = described(first, null);
        return differ ? answer.limited("Several different types have that name; one of them is shown. Name it with its scopes to choose.") : answer;
    }

    private static Answer at(Held held, Address address, Work work) {
        Procedures.Placed placed = held.procedures.at(address, work);
        if (placed != null) return ofFunction(placed.function()).at(held.text(address));
        Data data = held.program.getListing().getDefinedDataContaining(address);
        if (data == null) return unknown("Ghidra made neither a function nor data of what stands at the address.").at(held.text(address));
        Answer answer = described(data.getDataType(), held.names.statedAt(data.getMinAddress())).at(held.text(address));
        long inside = address.getOffset() - data.getMinAddress().getOffset();
        return inside == 0 ? answer : answer.limited("The address is " + inside + " bytes into the variable.");
    }

    private static Answer ofFunction(Function function) {
        List<Object> fields = new ArrayList<>();
        TreeSet<String> referenced = new TreeSet<>();
        for (Parameter parameter : function.getParameters()) {
            if (fields.size() < MOST_ITEMS) fields.add(field(null, parameter.getName(), parameter.getDataType(), null, "parameter"));
            referenced.add(Texts.name(parameter.getDataType().getName()));
        }
        referenced.add(Texts.name(function.getReturnType().getName()));
        String declaration = ProcedureFacts.signature(function);
        return answer(Texts.name(function.getName()), "function", declaration, null, null, fields, List.of(), referenced)
                .limited(ProcedureFacts.noSignature(function));
    }

    private static Answer described(DataType type, String variable) {
        DataType plain = type instanceof TypeDef defined ? defined.getBaseDataType() : type;
        List<Object> fields = new ArrayList<>();
        List<Object> enumerators = new ArrayList<>();
        TreeSet<String> referenced = new TreeSet<>();
        boolean cut = false;
        if (plain instanceof Composite composite) {
            for (DataTypeComponent component : composite.getDefinedComponents()) {
                cut |= fields.size() == MOST_ITEMS;
                if (cut) break;
                fields.add(member(component));
                referenced.add(typeName(component.getDataType()));
            }
        }
        if (plain instanceof Enum choices) {
            for (String name : choices.getNames()) {
                cut |= enumerators.size() == MOST_ITEMS;
                if (cut) break;
                enumerators.add(Members.of("name", Texts.name(name)).and("value", Long.toString(choices.getValue(name))).map());
            }
        }
        DataType inner = type instanceof TypeDef defined ? defined.getDataType()
                : type instanceof Pointer pointer ? pointer.getDataType()
                : type instanceof Array array ? array.getDataType() : null;
        if (inner != null) referenced.add(typeName(inner));
        String declared = type instanceof TypeDef ? "typedef " + (inner == null ? "void" : inner.getName()) + " " + type.getName()
                : variable != null ? type.getName() + " " + variable
                : prefix(type) + type.getName();
        return answer(Texts.name(type.getName()), kind(type), Texts.name(declared), type, packed(plain), fields, enumerators, referenced)
                .limited(cut ? CUT : null);
    }

    private static Map<String, Object> member(DataTypeComponent component) {
        DataType type = component.getDataType();
        BitFieldDataType bits = type instanceof BitFieldDataType field ? field : null;
        return field(component.getOffset(), component.getFieldName(), bits == null ? type : bits.getBaseDataType(), bits, "member");
    }

    private static Map<String, Object> field(Integer offset, String name, DataType type, BitFieldDataType bits, String role) {
        return Members.of("offset", offset)
                .and("name", Texts.nameOrNull(name))
                .and("type", Texts.name(type.getName()))
                .and("size", size(type))
                .and("bit_offset", bits == null ? null : bits.getBitOffset())
                .and("bit_size", bits == null ? null : bits.getBitSize())
                .and("role", role)
                .map();
    }

    private static Answer answer(String name, String kind, String declaration, DataType type, Boolean packed, List<Object> fields,
            List<Object> enumerators, TreeSet<String> referenced) {
        return new Answer(Members.of("name", name)
                .and("kind", kind)
                .and("declaration", declaration)
                .and("size", type == null ? null : size(type))
                .and("alignment", type == null || type.getAlignment() <= 0 ? null : type.getAlignment())
                .and("packed", packed)
                .and("fields", fields)
                .and("enumerators", enumerators)
                .and("referenced_types", new ArrayList<Object>(referenced))
                .map());
    }

    private static Answer unknown(String why) {
        return answer(null, "unknown", null, null, null, List.of(), List.of(), new TreeSet<>()).limited(why);
    }

    /** Null where Ghidra was given the places of members instead of a rule for them. */
    private static Boolean packed(DataType type) {
        if (!(type instanceof Composite composite) || !composite.isPackingEnabled()) return null;
        return composite.hasExplicitPackingValue() && composite.getExplicitPackingValue() == 1;
    }

    private static Integer size(DataType type) {
        return type.getLength() < 0 ? null : Integer.valueOf(type.getLength());
    }

    private static String typeName(DataType type) {
        return Texts.name(type instanceof BitFieldDataType bits ? bits.getBaseDataType().getName() : type.getName());
    }

    private static String prefix(DataType type) {
        if (type instanceof Union) return "union ";
        if (type instanceof Composite) return "struct ";
        return type instanceof Enum ? "enum " : "";
    }

    private static String kind(DataType type) {
        if (type instanceof TypeDef) return "typedef";
        if (type instanceof Pointer) return "pointer";
        if (type instanceof Array) return "array";
        if (type instanceof FunctionDefinition) return "function";
        if (type instanceof AbstractStringDataType) return "string";
        String prefix = prefix(type);
        if (!prefix.isEmpty()) return prefix.strip();
        if (type.getName().equals("void")) return "void";
        return type.getName().startsWith("undefined") ? "unknown" : "base";
    }
}
