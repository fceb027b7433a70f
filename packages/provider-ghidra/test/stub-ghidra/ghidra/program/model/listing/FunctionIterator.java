package ghidra.program.model.listing;

import java.util.Iterator;

/** Stand-in: an iterator that can be iterated. */
public class FunctionIterator implements Iterator<Function>, Iterable<Function> {
    private final Iterator<Function> inner;

    public FunctionIterator(Iterator<Function> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Function next() {
        return inner.next();
    }

    @Override
    public Iterator<Function> iterator() {
        return this;
    }
}
