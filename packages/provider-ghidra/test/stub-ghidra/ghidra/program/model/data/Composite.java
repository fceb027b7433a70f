package ghidra.program.model.data;

import java.util.List;

/** Stand-in. */
public class Composite extends DataType {
    public List<DataTypeComponent> components = List.of();
    /** Zero: the places of members were given, no rule for them. */
    public int packing;

    public Composite(String name) {
        super(name);
    }

    public DataTypeComponent[] getDefinedComponents() {
        return components.toArray(DataTypeComponent[]::new);
    }

    public boolean isPackingEnabled() {
        return packing != 0;
    }

    public boolean hasExplicitPackingValue() {
        return packing > 0;
    }

    public int getExplicitPackingValue() {
        return packing;
    }
}
