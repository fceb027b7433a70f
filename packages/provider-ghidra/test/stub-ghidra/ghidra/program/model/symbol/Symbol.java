package ghidra.program.model.symbol;

import ghidra.program.model.address.Address;

/** Stand-in. */
public class Symbol {
    public String name;
    public Address address;
    public SymbolType type = SymbolType.LABEL;
    public SourceType source = SourceType.IMPORTED;
    public boolean external;
    public boolean entryPoint;
    public boolean dynamic;
    public String namespace = "Global";

    public String getName() {
        return name;
    }

    public String getName(boolean whole) {
        return whole && !namespace.equals("Global") ? namespace + "::" + name : name;
    }

    public Address getAddress() {
        return address;
    }

    public SymbolType getSymbolType() {
        return type;
    }

    public SourceType getSource() {
        return source;
    }

    public boolean isExternal() {
        return external;
    }

    public boolean isDynamic() {
        return dynamic;
    }

    public boolean isExternalEntryPoint() {
        return entryPoint;
    }

    public Namespace getParentNamespace() {
        return new Namespace(namespace);
    }
}
