package ghidra.program.model.symbol;

/** Stand-in: what a reference, or an operand, does. */
public class RefType {
    protected final String word;

    public RefType(String word) {
        this.word = word;
    }

    public boolean isCall() {
        return word.contains("call");
    }

    public boolean isJump() {
        return word.contains("jump");
    }

    public boolean isRead() {
        return word.contains("read");
    }

    public boolean isWrite() {
        return word.contains("write");
    }

    public boolean isIndirect() {
        return word.equals("indirection");
    }

    public boolean isData() {
        return isRead() || isWrite() || isIndirect() || word.equals("data");
    }

    public boolean isFallthrough() {
        return word.equals("fallthrough");
    }

    public boolean isComputed() {
        return word.startsWith("computed");
    }

    public boolean isConditional() {
        return word.startsWith("conditional");
    }

    public boolean isTerminal() {
        return word.equals("return");
    }
}
