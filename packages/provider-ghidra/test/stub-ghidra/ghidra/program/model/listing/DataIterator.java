package ghidra.program.model.listing;

import java.util.Iterator;

/** Stand-in: an iterator that can be iterated. */
public class DataIterator implements Iterator<Data>, Iterable<Data> {
    private final Iterator<Data> inner;

    public DataIterator(Iterator<Data> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Data next() {
        return inner.next();
    }

    @Override
    public Iterator<Data> iterator() {
        return this;
    }
}
