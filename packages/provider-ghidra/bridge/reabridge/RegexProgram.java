package reabridge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A regular expression as steps that are taken for all beginnings at once: time is the length of the text times the number
 * of steps, whatever the pattern.
 */
final class RegexProgram {
    private static final int MOST_STEPS = 20_000;
    private static final int CHECK_EVERY = 4_096;

    private enum Op {
        ONE, SPLIT, JUMP, ASSERT, MATCH
    }

    private static final class Step {
        final Op op;
        IntPredicate set;
        RegexNode.Kind kind;
        int to;
        int other;

        Step(Op op) {
            this.op = op;
        }
    }

    private final List<Step> steps = new ArrayList<>();

    private RegexProgram() {
    }

    /** Refuses `bad_pattern` what has too many steps. */
    static RegexProgram compile(RegexNode node) {
        RegexProgram program = new RegexProgram();
        program.emit(node);
        program.add(Op.MATCH);
        return program;
    }

    private void emit(RegexNode node) {
        if (node instanceof RegexNode.One one) add(Op.ONE).set = one.set();
        else if (node instanceof RegexNode.Assertion assertion) add(Op.ASSERT).kind = assertion.kind();
        else if (node instanceof RegexNode.Sequence sequence) sequence.parts().forEach(this::emit);
        else if (node instanceof RegexNode.Either either) emitEither(either.branches());
        else if (node instanceof RegexNode.Repeat repeat) emitRepeat(repeat);
    }

    private void emitEither(List<RegexNode> branches) {
        List<Step> ends = new ArrayList<>();
        for (int i = 0; i < branches.size() - 1; i++) {
            Step split = add(Op.SPLIT);
            split.to = steps.size();
            emit(branches.get(i));
            ends.add(add(Op.JUMP));
            split.other = steps.size();
        }
        emit(branches.get(branches.size() - 1));
        ends.forEach(end -> end.to = steps.size());
    }

    private void emitRepeat(RegexNode.Repeat repeat) {
        for (int i = 0; i < repeat.minimum(); i++) emit(repeat.inner());
        if (repeat.maximum() < 0) {
            Step split = add(Op.SPLIT);
            int loop = steps.size() - 1;
            split.to = steps.size();
            emit(repeat.inner());
            add(Op.JUMP).to = loop;
            split.other = steps.size();
            return;
        }
        List<Step> splits = new ArrayList<>();
        for (int i = repeat.minimum(); i < repeat.maximum(); i++) {
            Step split = add(Op.SPLIT);
            split.to = steps.size();
            splits.add(split);
            emit(repeat.inner());
        }
        splits.forEach(split -> split.other = steps.size());
    }

    private Step add(Op op) {
        if (steps.size() >= MOST_STEPS) throw RegexParser.bad();
        Step step = new Step(op);
        steps.add(step);
        return step;
    }

    /** Whether any part of the text matches. `check` is called again and again, and may throw. */
    boolean find(String text, Runnable check) {
        Step[] program = steps.toArray(Step[]::new);
        Threads now = new Threads(program.length);
        Threads then = new Threads(program.length);
        int work = 0;
        for (int at = 0, before = -1;;) {
            int c = at < text.length() ? text.codePointAt(at) : -1;
            if (now.add(program, 0, before, c)) return true;
            then.clear();
            int next = c < 0 ? -1 : at + Character.charCount(c);
            int after = next >= 0 && next < text.length() ? text.codePointAt(next) : -1;
            for (int i = 0; i < now.count; i++) {
                if (++work % CHECK_EVERY == 0) check.run();
                Step step = program[now.list[i]];
                if (step.op == Op.ONE && c >= 0 && step.set.test(c) && then.add(program, now.list[i] + 1, c, after)) return true;
            }
            if (c < 0) return false;
            Threads swap = now;
            now = then;
            then = swap;
            before = c;
            at = next;
        }
    }

    /** The steps that are waited at, each once. */
    private static final class Threads {
        final int[] list;
        private final boolean[] seen;
        private final int[] stack;
        private final int[] visited;
        private int visitedCount;
        int count;

        Threads(int size) {
            list = new int[size];
            seen = new boolean[size];
            stack = new int[size + 1];
            visited = new int[size];
        }

        void clear() {
            for (int i = 0; i < visitedCount; i++) seen[visited[i]] = false;
            visitedCount = 0;
            count = 0;
        }

        /** Follows what needs no character; true when that is a match. */
        boolean add(Step[] program, int start, int before, int after) {
            int top = push(0, start);
            while (top > 0) {
                int at = stack[--top];
                Step step = program[at];
                switch (step.op) {
                    case MATCH:
                        return true;
                    case ONE:
                        list[count++] = at;
                        break;
                    case JUMP:
                        top = push(top, step.to);
                        break;
                    case SPLIT:
                        top = push(top, step.other);
                        top = push(top, step.to);
                        break;
                    case ASSERT:
                        if (holds(step.kind, before, after)) top = push(top, at + 1);
                        break;
                }
            }
            return false;
        }

        private int push(int top, int at) {
            if (seen[at]) return top;
            seen[at] = true;
            visited[visitedCount++] = at;
            stack[top] = at;
            return top + 1;
        }

        private static boolean holds(RegexNode.Kind kind, int before, int after) {
            boolean boundary = (before >= 0 && RegexClass.isWord(before)) != (after >= 0 && RegexClass.isWord(after));
            return switch (kind) {
                case START -> before < 0;
                case END -> after < 0;
                case WORD_BOUNDARY -> boundary;
                case NO_WORD_BOUNDARY -> !boundary;
            };
        }
    }
}
