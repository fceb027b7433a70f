package reabridge;

import java.util.function.IntPredicate;

/** Letter case left out of account, one code point for one. */
final class Folding {
    private Folding() {
    }

    static int of(int c) {
        return c < 0x80 ? (c >= 'A' && c <= 'Z' ? c + 32 : c) : Character.toLowerCase(Character.toUpperCase(c));
    }

    static String of(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(Folding::of).forEach(out::appendCodePoint);
        return out.toString();
    }

    /** Whether a set holds the code point in another case. */
    static boolean variants(int c, IntPredicate set) {
        int upper = Character.toUpperCase(c);
        return set.test(upper) || set.test(Character.toLowerCase(upper)) || set.test(Character.toTitleCase(c));
    }
}
