package reabridge;

import java.util.function.Predicate;

/** What a search looks for: plain text, or a regular expression of the shared dialect. */
public final class TextMatcher {
    private static final int LONGEST_PATTERN = 256;

    private TextMatcher() {
    }

    public static Predicate<String> of(Params params, Work work) {
        String pattern = params.text("pattern", 2 * LONGEST_PATTERN);
        if (pattern.codePointCount(0, pattern.length()) > LONGEST_PATTERN) throw RegexParser.bad();
        return matcher(pattern, params.text("mode", 16), params.flag("case_sensitive", false), work::check);
    }

    static Predicate<String> matcher(String pattern, String mode, boolean caseSensitive, Runnable check) {
        switch (mode) {
            case "literal":
                if (caseSensitive) return text -> text.contains(pattern);
                String folded = Folding.of(pattern);
                return text -> Folding.of(text).contains(folded);
            case "regex":
                RegexProgram program = RegexProgram.compile(RegexParser.parse(pattern, caseSensitive));
                return text -> program.find(text, check);
            default:
                throw Refused.malformed("The search mode is not known.");
        }
    }
}
