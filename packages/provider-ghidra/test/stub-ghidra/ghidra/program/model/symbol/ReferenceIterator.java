package ghidra.program.model.symbol;

import java.util.Iterator;

/** Stand-in: an iterator that can be iterated. */
public class ReferenceIterator implements Iterator<Reference>, Iterable<Reference> {
    private final Iterator<Reference> inner;

    public ReferenceIterator(Iterator<Reference> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Reference next() {
        return inner.next();
    }

    @Override
    public Iterator<Reference> iterator() {
        return this;
    }
}
