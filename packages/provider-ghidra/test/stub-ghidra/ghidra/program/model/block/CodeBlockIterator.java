package ghidra.program.model.block;

import ghidra.util.exception.CancelledException;
import java.util.Iterator;

/** Stand-in. */
public class CodeBlockIterator {
    private final Iterator<CodeBlock> inner;

    CodeBlockIterator(Iterator<CodeBlock> inner) {
        this.inner = inner;
    }

    public boolean hasNext() throws CancelledException {
        return inner.hasNext();
    }

    public CodeBlock next() throws CancelledException {
        return inner.next();
    }
}
