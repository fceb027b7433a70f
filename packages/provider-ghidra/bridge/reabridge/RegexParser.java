package reabridge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Parses what RE2 syntax and ECMAScript's with the `u` flag have in common: no look-around, no back-references, no flags
 * inside. Anything else is refused as `bad_pattern`. Meaning is RE2's.
 */
final class RegexParser {
    private static final int MOST_REPEATS = 1_000;
    private static final int DEEPEST = 64;
    private static final String SYNTAX = "^$\\.*+?()[]{}|/";

    private final int[] pattern;
    private final boolean fold;
    private int at;

    private RegexParser(String pattern, boolean caseSensitive) {
        this.pattern = pattern.codePoints().toArray();
        this.fold = !caseSensitive;
    }

    static RegexNode parse(String pattern, boolean caseSensitive) {
        RegexParser parser = new RegexParser(pattern, caseSensitive);
        RegexNode node = parser.either(0);
        if (parser.at != parser.pattern.length) throw bad();
        return node;
    }

    private RegexNode either(int depth) {
        if (depth > DEEPEST) throw bad();
        List<RegexNode> branches = new ArrayList<>();
        do branches.add(sequence(depth));
        while (take('|'));
        return branches.size() == 1 ? branches.get(0) : new RegexNode.Either(branches);
    }

    private RegexNode sequence(int depth) {
        List<RegexNode> parts = new ArrayList<>();
        while (at < pattern.length && pattern[at] != '|' && pattern[at] != ')') parts.add(repeated(depth));
        return new RegexNode.Sequence(parts);
    }

    private RegexNode repeated(int depth) {
        RegexNode inner = atom(depth);
        int minimum;
        int maximum;
        if (take('*')) {
            minimum = 0;
            maximum = -1;
        } else if (take('+')) {
            minimum = 1;
            maximum = -1;
        } else if (take('?')) {
            minimum = 0;
            maximum = 1;
        } else if (take('{')) {
            minimum = number();
            maximum = take(',') ? (peek() == '}' ? -1 : number()) : minimum;
            if (!take('}') || (maximum >= 0 && maximum < minimum)) throw bad();
        } else return inner;
        if (inner instanceof RegexNode.Assertion) throw bad();
        // Lazy or not makes no difference to whether there is a match.
        take('?');
        return new RegexNode.Repeat(inner, minimum, maximum);
    }

    private RegexNode atom(int depth) {
        int c = next();
        switch (c) {
            case '^':
                return new RegexNode.Assertion(RegexNode.Kind.START);
            case '$':
                return new RegexNode.Assertion(RegexNode.Kind.END);
            case '.':
                return new RegexNode.One(any -> any != '\n');
            case '(':
                return group(depth);
            case '[':
                return new RegexNode.One(new RegexClass(this::classEscape, fold).parse(this));
            case '\\':
                return escape();
            case '*', '+', '?', '{', '}', ']', ')', '|':
                throw bad();
            default:
                return new RegexNode.One(literal(c));
        }
    }

    private RegexNode group(int depth) {
        if (take('?')) {
            if (take('<')) groupName();
            else if (!take(':')) throw bad();
        }
        RegexNode inner = either(depth + 1);
        if (!take(')')) throw bad();
        return inner;
    }

    private void groupName() {
        int start = at;
        while (peek() != '>') {
            int c = next();
            boolean word = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (at - 1 > start && c >= '0' && c <= '9');
            if (!word) throw bad();
        }
        if (at == start) throw bad();
        at++;
    }

    private RegexNode escape() {
        if (take('b')) return new RegexNode.Assertion(RegexNode.Kind.WORD_BOUNDARY);
        if (take('B')) return new RegexNode.Assertion(RegexNode.Kind.NO_WORD_BOUNDARY);
        int c = peek();
        IntPredicate set = RegexClass.named(this);
        if (set != null) return new RegexNode.One(fold ? given -> set.test(given) || Folding.variants(given, set) : set);
        at++;
        return new RegexNode.One(literal(plainEscape(c)));
    }

    /** The code point of an escape in a class, after its backslash; a hyphen may be escaped there. */
    private int classEscape() {
        int c = next();
        return c == '-' ? c : plainEscape(c);
    }

    private int plainEscape(int c) {
        switch (c) {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 'f':
                return '\f';
            case 'v':
                return 0x0b;
            case '0':
                if (at < pattern.length && pattern[at] >= '0' && pattern[at] <= '9') throw bad();
                return 0;
            case 'x':
                return hex() * 16 + hex();
            default:
                if (SYNTAX.indexOf(c) < 0) throw bad();
                return c;
        }
    }

    private IntPredicate literal(int c) {
        if (!fold) return given -> given == c;
        int folded = Folding.of(c);
        return given -> Folding.of(given) == folded;
    }

    private int number() {
        int value = 0;
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            value = value * 10 + (next() - '0');
            if (value > MOST_REPEATS) throw bad();
        }
        if (at == start) throw bad();
        return value;
    }

    private int hex() {
        int digit = Character.digit(next(), 16);
        if (digit < 0) throw bad();
        return digit;
    }

    boolean take(int expected) {
        if (at >= pattern.length || pattern[at] != expected) return false;
        at++;
        return true;
    }

    int peek() {
        if (at >= pattern.length) throw bad();
        return pattern[at];
    }

    void back() {
        at--;
    }

    int next() {
        int c = peek();
        at++;
        return c;
    }

    static Refused bad() {
        return new Refused("bad_pattern", "The pattern is not of the dialect.");
    }
}
