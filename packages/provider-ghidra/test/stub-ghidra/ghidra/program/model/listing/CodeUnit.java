package ghidra.program.model.listing;

import ghidra.program.model.address.Address;
import java.util.EnumMap;
import java.util.Map;

/** Stand-in: code or data at a place. */
public class CodeUnit {
    public Address address;
    public int length;
    public final Map<CommentType, String> comments = new EnumMap<>(CommentType.class);

    public Address getMinAddress() {
        return address;
    }

    public int getLength() {
        return length;
    }

    public String getComment(CommentType type) {
        return comments.get(type);
    }
}
