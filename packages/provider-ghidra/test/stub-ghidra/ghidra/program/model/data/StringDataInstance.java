package ghidra.program.model.data;

import ghidra.program.model.listing.Data;

/** Stand-in. */
public record StringDataInstance(Data data) {
    public static boolean isString(Data data) {
        return data.string != null;
    }

    public static StringDataInstance getStringDataInstance(Data data) {
        return new StringDataInstance(data);
    }

    public String getStringValue() {
        return data.string;
    }

    public String getCharsetName() {
        return data.charset;
    }

    public boolean isMissingNullTerminator() {
        return !data.terminated;
    }
}
