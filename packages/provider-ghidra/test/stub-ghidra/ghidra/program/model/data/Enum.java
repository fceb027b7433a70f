package ghidra.program.model.data;

import java.util.LinkedHashMap;
import java.util.Map;

/** Stand-in. */
public class Enum extends DataType {
    public final Map<String, Long> values = new LinkedHashMap<>();

    public Enum(String name) {
        super(name);
    }

    public String[] getNames() {
        return values.keySet().toArray(String[]::new);
    }

    public long getValue(String name) {
        return values.get(name);
    }
}
