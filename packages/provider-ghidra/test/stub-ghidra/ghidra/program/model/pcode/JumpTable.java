package ghidra.program.model.pcode;

import ghidra.program.model.address.Address;
import java.util.List;

/** Stand-in. */
public class JumpTable {
    public class LoadTable {
        public Address getAddress() {
            return table;
        }

        public int getSize() {
            return entryBytes;
        }
    }

    public Address jump;
    public Address table;
    public int entryBytes;
    public List<Address> cases = List.of();
    public List<Integer> labels = List.of();

    public boolean isEmpty() {
        return cases.isEmpty();
    }

    public Address getSwitchAddress() {
        return jump;
    }

    public Address[] getCases() {
        return cases.toArray(Address[]::new);
    }

    public Integer[] getLabelValues() {
        return labels.toArray(Integer[]::new);
    }

    public LoadTable[] getLoadTables() {
        return table == null ? new LoadTable[0] : new LoadTable[] { new LoadTable() };
    }
}
