package ghidra.program.model.symbol;

import java.util.Iterator;

/** Stand-in: an iterator that can be iterated. */
public class SymbolIterator implements Iterator<Symbol>, Iterable<Symbol> {
    private final Iterator<Symbol> inner;

    public SymbolIterator(Iterator<Symbol> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Symbol next() {
        return inner.next();
    }

    @Override
    public Iterator<Symbol> iterator() {
        return this;
    }
}
