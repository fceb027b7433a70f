package reabridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/** A bracketed class, and the named ones: `\d`, `\w`, `\s`, and `\p` with a general category. */
final class RegexClass {
    private static final Map<String, String> CATEGORIES = Map.of("L", "LuLlLtLmLo", "M", "MnMcMe", "N", "NdNlNo", "P",
            "PcPdPsPePiPfPo", "S", "SmScSkSo", "Z", "ZsZlZp", "C", "CcCfCoCs");
    private static final String NAMES = "CnLuLlLtLmLoMnMeMcNdNlNoZsZlZpCcCf??CoCsPdPsPePcPoSmScSkSoPiPf";

    private final IntSupplier escape;
    private final boolean fold;

    RegexClass(IntSupplier escape, boolean fold) {
        this.escape = escape;
        this.fold = fold;
    }

    /** From behind the opening bracket to behind the closing one. */
    IntPredicate parse(RegexParser in) {
        boolean negated = in.take('^');
        if (in.peek() == ']') throw RegexParser.bad();
        List<IntPredicate> parts = new ArrayList<>();
        while (!in.take(']')) parts.add(part(in));
        IntPredicate[] all = parts.toArray(IntPredicate[]::new);
        IntPredicate positive = c -> {
            for (IntPredicate one : all) if (one.test(c)) return true;
            return false;
        };
        IntPredicate folded = fold ? c -> positive.test(c) || Folding.variants(c, positive) : positive;
        return negated ? folded.negate() : folded;
    }

    private IntPredicate part(RegexParser in) {
        Integer first = single(in);
        if (first == null) {
            IntPredicate named = named(in);
            if (in.peek() == '-' ) refuseRange(in);
            return named;
        }
        int low = first;
        if (in.peek() != '-') return c -> c == low;
        in.next();
        if (in.peek() == ']') return c -> c == low || c == '-';
        Integer last = single(in);
        if (last == null || last < low) throw RegexParser.bad();
        int high = last;
        return c -> c >= low && c <= high;
    }

    /** A class can be followed by a hyphen only at the end: it cannot begin a range. */
    private static void refuseRange(RegexParser in) {
        in.next();
        if (in.peek() != ']') throw RegexParser.bad();
        in.back();
    }

    /** Null before a named class, whose backslash is read then. */
    private Integer single(RegexParser in) {
        int c = in.next();
        if (c == '[' && in.peek() == ':') throw RegexParser.bad();
        if (c != '\\') return c;
        return "dDwWsSpP".indexOf(in.peek()) >= 0 ? null : Integer.valueOf(escape.getAsInt());
    }

    /** From behind the backslash; null, and nothing read, when it is none. */
    static IntPredicate named(RegexParser in) {
        int c = in.peek();
        IntPredicate set = switch (c) {
            case 'd', 'D' -> RegexClass::isDigit;
            case 'w', 'W' -> RegexClass::isWord;
            case 's', 'S' -> space -> space == '\t' || space == '\n' || space == '\f' || space == '\r' || space == ' ';
            case 'p', 'P' -> null;
            default -> null;
        };
        if (set == null && c != 'p' && c != 'P') return null;
        in.next();
        if (set == null) set = category(in);
        return Character.isUpperCase(c) ? set.negate() : set;
    }

    private static IntPredicate category(RegexParser in) {
        if (!in.take('{')) throw RegexParser.bad();
        StringBuilder name = new StringBuilder();
        while (!in.take('}')) name.appendCodePoint(in.next());
        String wanted = name.length() == 1 ? CATEGORIES.get(name.toString()) : name.length() == 2 ? name.toString() : null;
        if (wanted == null || wanted.contains("?") || NAMES.indexOf(wanted.substring(0, 2)) % 2 != 0) throw RegexParser.bad();
        return c -> {
            int type = Character.getType(c) * 2;
            String is = type + 2 <= NAMES.length() ? NAMES.substring(type, type + 2) : "Cn";
            int found = wanted.indexOf(is);
            return found >= 0 && found % 2 == 0;
        };
    }

    static boolean isWord(int c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
