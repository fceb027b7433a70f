package reabridge;

import java.util.List;
import java.util.function.IntPredicate;

/** A parsed regular expression. */
sealed interface RegexNode {
    /** One code point. */
    record One(IntPredicate set) implements RegexNode {
    }

    record Sequence(List<RegexNode> parts) implements RegexNode {
    }

    record Either(List<RegexNode> branches) implements RegexNode {
    }

    /** `maximum` of -1: without end. */
    record Repeat(RegexNode inner, int minimum, int maximum) implements RegexNode {
    }

    record Assertion(Kind kind) implements RegexNode {
    }

    enum Kind {
        START, END, WORD_BOUNDARY, NO_WORD_BOUNDARY
    }
}
