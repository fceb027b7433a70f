package ghidra.program.model.block;

import ghidra.util.exception.CancelledException;
import java.util.Iterator;

/** Stand-in. */
public class CodeBlockReferenceIterator {
    private final Iterator<CodeBlockReference> inner;

    CodeBlockReferenceIterator(Iterator<CodeBlockReference> inner) {
        this.inner = inner;
    }

    public boolean hasNext() throws CancelledException {
        return inner.hasNext();
    }

    public CodeBlockReference next() throws CancelledException {
        return inner.next();
    }
}
