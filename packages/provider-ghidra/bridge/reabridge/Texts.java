package reabridge;

import java.util.LinkedHashMap;
import java.util.Map;

/** Text of the target: cut on code points, and always well-formed. */
public final class Texts {
    public static final int LIST_VALUE = 1_024;
    public static final int SEARCH_VALUE = 4_096;
    static final char REPLACEMENT = '\ufffd';

    private Texts() {
    }

    /** `value` and `value_truncated`, as lists and searches show them. */
    public static Map<String, Object> shown(String text, int maximum) {
        Map<String, Object> members = new LinkedHashMap<>();
        String cut = cut(text, maximum);
        members.put("value", cut);
        members.put("value_truncated", cut.length() < text.length());
        return members;
    }

    /** At most so many code points, never half of a pair. */
    public static String cut(String text, int maximum) {
        if (text.length() <= maximum) return text;
        int end = 0;
        for (int taken = 0; taken < maximum && end < text.length(); taken++) end += isPairAt(text, end) ? 2 : 1;
        return text.substring(0, end);
    }

    /** A name where no flag can say that it was cut: an ellipsis does. */
    public static String name(String text) {
        String cut = cut(text, LIST_VALUE);
        return cut.length() < text.length() ? cut + "…" : cut;
    }

    public static String nameOrNull(String text) {
        return text == null ? null : name(text);
    }

    static boolean isPairAt(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }

    static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!Character.isSurrogate(text.charAt(i))) continue;
            if (!isPairAt(text, i)) return false;
            i++;
        }
        return true;
    }
}
