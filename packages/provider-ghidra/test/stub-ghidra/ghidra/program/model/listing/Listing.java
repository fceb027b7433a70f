package ghidra.program.model.listing;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressIterator;
import ghidra.program.model.address.AddressSetView;
import java.util.Map;
import java.util.TreeMap;

/** Stand-in. */
public class Listing {
    public final TreeMap<Address, Instruction> code = new TreeMap<>();
    public final TreeMap<Address, Data> data = new TreeMap<>();

    public Instruction getInstructionAt(Address address) {
        return code.get(address);
    }

    public Instruction getInstructionContaining(Address address) {
        return containing(code, address);
    }

    public InstructionIterator getInstructions(AddressSetView set, boolean forward) {
        return new InstructionIterator(set.ranges.stream()
                .flatMap(range -> code.subMap(range.first(), true, range.last(), true).values().stream())
                .iterator());
    }

    public Data getDefinedDataAt(Address address) {
        return data.get(address);
    }

    public Data getDefinedDataContaining(Address address) {
        return containing(data, address);
    }

    public DataIterator getDefinedData(boolean forward) {
        return new DataIterator(data.values().iterator());
    }

    public CodeUnit getCodeUnitAt(Address address) {
        CodeUnit unit = code.get(address);
        return unit == null ? data.get(address) : unit;
    }

    public AddressIterator getCommentAddressIterator(AddressSetView set, boolean forward) {
        return new AddressIterator(code.values().stream()
                .filter(instruction -> set.contains(instruction.address) && !instruction.comments.isEmpty())
                .map(instruction -> instruction.address)
                .iterator());
    }

    private static <T extends CodeUnit> T containing(TreeMap<Address, T> units, Address address) {
        Map.Entry<Address, T> before = units.floorEntry(address);
        if (before == null || before.getKey().space() != address.space()) return null;
        return address.offset() - before.getKey().offset() < before.getValue().length ? before.getValue() : null;
    }
}
