package reabridge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Strict JSON (RFC 8259) with integers only: no key twice, no half of a surrogate pair, nesting of at most 16. */
public final class JsonReader {
    private static final int DEEPEST = 16;
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** Maps, lists, strings, longs, booleans and null. Throws {@link Refused} for anything else. */
    public static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value(0);
        reader.blanks();
        if (reader.at != text.length()) throw broken();
        return value;
    }

    public static Map<String, Object> readObject(String text) {
        Object value = read(text);
        if (!(value instanceof Map<?, ?> map)) throw broken();
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, member) -> object.put((String) key, member));
        return object;
    }

    private Object value(int depth) {
        if (depth > DEEPEST) throw broken();
        blanks();
        char first = peek();
        if (first == '{') return object(depth);
        if (first == '[') return list(depth);
        if (first == '"') return string();
        if (first == '-' || isDigit(first)) return integer();
        if (word("true")) return Boolean.TRUE;
        if (word("false")) return Boolean.FALSE;
        if (word("null")) return null;
        throw broken();
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        blanks();
        if (take('}')) return members;
        do {
            blanks();
            if (peek() != '"') throw broken();
            String key = string();
            blanks();
            if (!take(':')) throw broken();
            if (members.containsKey(key)) throw broken();
            members.put(key, value(depth + 1));
            blanks();
        } while (take(','));
        if (!take('}')) throw broken();
        return members;
    }

    private List<Object> list(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        blanks();
        if (take(']')) return items;
        do {
            items.add(value(depth + 1));
            blanks();
        } while (take(','));
        if (!take(']')) throw broken();
        return items;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        for (;;) {
            char c = next();
            if (c == '"') break;
            if (c < 0x20) throw broken();
            out.append(c == '\\' ? escaped() : c);
        }
        String whole = out.toString();
        if (!Texts.isWellFormed(whole)) throw broken();
        return whole;
    }

    private char escaped() {
        char c = next();
        switch (c) {
            case '"', '\\', '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return hex4();
            default:
                throw broken();
        }
    }

    private char hex4() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) throw broken();
            value = value * 16 + digit;
        }
        return (char) value;
    }

    private Long integer() {
        int start = at;
        if (peek() == '-') at++;
        int digits = at;
        while (at < text.length() && isDigit(text.charAt(at))) at++;
        boolean leadingZero = at - digits > 1 && text.charAt(digits) == '0';
        boolean goesOn = at < text.length() && ".eE".indexOf(text.charAt(at)) >= 0;
        if (at == digits || at - digits > 16 || leadingZero || goesOn) throw broken();
        return Long.valueOf(text.substring(start, at));
    }

    private boolean word(String expected) {
        if (!text.startsWith(expected, at)) return false;
        at += expected.length();
        return true;
    }

    private boolean take(char expected) {
        if (at >= text.length() || text.charAt(at) != expected) return false;
        at++;
        return true;
    }

    private char peek() {
        if (at >= text.length()) throw broken();
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static Refused broken() {
        return Refused.malformed("The line is not JSON of the expected form.");
    }
}
