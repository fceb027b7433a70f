package ghidra.program.model.data;

import java.util.ArrayList;
import java.util.List;

/** Stand-in. */
public class DataTypeManager {
    public final List<DataType> all = new ArrayList<>();

    public void findDataTypes(String name, List<DataType> found) {
        for (DataType type : all) if (type.name.equals(name)) found.add(type);
    }
}
