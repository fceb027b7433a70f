package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.data.StringDataInstance;
import ghidra.program.model.listing.Data;
import ghidra.program.model.listing.Program;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Strings that Ghidra has made data of, those inside of structures and arrays too. */
final class Strings {
    static final String SEARCHED = "Strings are those that Ghidra made data of: ASCII, UTF-8 and UTF-16, mostly of at least five characters.";
    private static final int DEEPEST = 8;

    record Found(Address at, String value, String encoding, int byteLength, boolean terminated) {
    }

    private record Nested(Data data, int depth) {
    }

    private final Program program;
    private final Places places;
    private final Inventory<Found> inventory;

    Strings(Program program, Places places) {
        this.program = program;
        this.places = places;
        this.inventory = new Inventory<>("listing_strings", new Source(program.getListing().getDefinedData(true).iterator()));
    }

    List<Found> all(Work work) {
        return inventory.read(work);
    }

    boolean isCut() {
        return inventory.isCut();
    }

    /** The string that starts at an address, or null. */
    Found at(Address address) {
        Data data = program.getListing().getDefinedDataAt(address);
        return data == null ? null : found(data);
    }

    Map<String, Object> item(Found found) {
        return Members.of("address", places.text(found.at()))
                .all(Texts.shown(found.value(), Texts.LIST_VALUE))
                .and("string", Members.of("encoding", found.encoding())
                        .and("byte_length", found.byteLength())
                        .and("terminated", found.terminated())
                        .map())
                .map();
    }

    private Found found(Data data) {
        if (!StringDataInstance.isString(data) || places.shown(data.getMinAddress()) == null) return null;
        StringDataInstance string = StringDataInstance.getStringDataInstance(data);
        String value = string.getStringValue();
        String encoding = value == null ? null : encoding(string.getCharsetName(), value);
        if (encoding == null) return null;
        boolean terminated = !string.isMissingNullTerminator();
        int unit = encoding.startsWith("utf-16") ? 2 : 1;
        int length = data.getLength() - (terminated && data.getLength() >= unit ? unit : 0);
        // One more than is shown, so that a cut is seen.
        return new Found(data.getMinAddress(), Texts.cut(value, Texts.SEARCH_VALUE + 1), encoding, length, terminated);
    }

    /** Null for an encoding that has no name on the other side. */
    private String encoding(String charset, String value) {
        if (charset == null) return null;
        if (charset.startsWith("UTF-16")) {
            boolean big = charset.endsWith("BE") || (!charset.endsWith("LE") && program.getMemory().isBigEndian());
            return big ? "utf-16be" : "utf-16le";
        }
        if (charset.startsWith("UTF-32")) return null;
        return value.chars().allMatch(c -> c < 0x80) ? "ascii" : charset.equals("UTF-8") ? "utf-8" : null;
    }

    /** One datum a turn, so that the inventory can stop anywhere; null for a datum that is no string. */
    private final class Source implements Iterator<Found> {
        private final Iterator<Data> top;
        private final Deque<Nested> nested = new ArrayDeque<>();

        Source(Iterator<Data> top) {
            this.top = top;
        }

        @Override
        public boolean hasNext() {
            return !nested.isEmpty() || top.hasNext();
        }

        @Override
        public Found next() {
            if (!hasNext()) throw new NoSuchElementException();
            Nested next = nested.isEmpty() ? new Nested(top.next(), 0) : nested.pop();
            Data data = next.data();
            Found string = found(data);
            boolean holds = string == null && next.depth() < DEEPEST && mayHoldStrings(data);
            for (int i = holds ? data.getNumComponents() - 1 : -1; i >= 0; i--) nested.push(new Nested(data.getComponent(i), next.depth() + 1));
            return string;
        }
    }

    /** An array whose first element is neither a string nor holds parts has none; large tables of numbers are passed over so. */
    private static boolean mayHoldStrings(Data data) {
        if (data.getNumComponents() <= 0) return false;
        if (!data.isArray()) return true;
        Data first = data.getComponent(0);
        return first != null && (StringDataInstance.isString(first) || first.getNumComponents() > 0);
    }
}
