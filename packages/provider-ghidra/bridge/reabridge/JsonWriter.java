package reabridge;

import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings, integers, booleans and null, up to a bound of bytes in UTF-8. */
public final class JsonWriter {
    private final StringBuilder out = new StringBuilder();
    private final long maximumBytes;
    private long bytes;

    private JsonWriter(long maximumBytes) {
        this.maximumBytes = maximumBytes;
    }

    /** Throws {@link Refused} (`answer_too_large`) when it does not fit. */
    public static String write(Object value, long maximumBytes) {
        JsonWriter writer = new JsonWriter(maximumBytes);
        writer.value(value);
        return writer.out.toString();
    }

    /** How many bytes a value takes. */
    public static long size(Object value) {
        JsonWriter writer = new JsonWriter(Long.MAX_VALUE);
        writer.value(value);
        return writer.bytes;
    }

    private void value(Object value) {
        if (value == null) ascii("null");
        else if (value instanceof String text) string(text);
        else if (value instanceof Boolean || value instanceof Integer || value instanceof Long) ascii(value.toString());
        else if (value instanceof Map<?, ?> map) object(map);
        else if (value instanceof List<?> list) list(list);
        else throw new IllegalArgumentException("not a JSON value");
    }

    private void object(Map<?, ?> map) {
        String before = "{";
        for (Map.Entry<?, ?> member : map.entrySet()) {
            ascii(before);
            before = ",";
            string((String) member.getKey());
            ascii(":");
            value(member.getValue());
        }
        ascii(map.isEmpty() ? "{}" : "}");
    }

    private void list(List<?> list) {
        String before = "[";
        for (Object item : list) {
            ascii(before);
            before = ",";
            value(item);
        }
        ascii(list.isEmpty() ? "[]" : "]");
    }

    private void string(String text) {
        ascii("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') ascii("\\" + c);
            else if (c < 0x20 || c == 0x7f) ascii(String.format("\\u%04x", (int) c));
            else if (c < 0x80) append(c, 1);
            else if (!Character.isSurrogate(c)) append(c, c < 0x800 ? 2 : 3);
            else if (Texts.isPairAt(text, i)) {
                append(c, 4);
                append(text.charAt(++i), 0);
            } else append(Texts.REPLACEMENT, 3);
        }
        ascii("\"");
    }

    private void ascii(String text) {
        count(text.length());
        out.append(text);
    }

    private void append(char c, int size) {
        count(size);
        out.append(c);
    }

    private void count(int size) {
        bytes += size;
        if (bytes > maximumBytes) throw new Refused("answer_too_large", "The answer does not fit one line.");
    }
}
