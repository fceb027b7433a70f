package ghidra.program.model.address;

import java.util.List;

/** Stand-in: ranges of addresses, both ends in them. */
public class AddressSetView {
    public record Range(Address first, Address last) {
        boolean holds(Address address) {
            return address.space() == first.space() && address.compareTo(first) >= 0 && address.compareTo(last) <= 0;
        }
    }

    public final List<Range> ranges;

    public AddressSetView(List<Range> ranges) {
        this.ranges = ranges;
    }

    public boolean contains(Address address) {
        return ranges.stream().anyMatch(range -> range.holds(address));
    }

    public long getNumAddresses() {
        return ranges.stream().mapToLong(range -> range.last().offset() - range.first().offset() + 1).sum();
    }

    public Address getMaxAddress() {
        return ranges.get(ranges.size() - 1).last();
    }
}
