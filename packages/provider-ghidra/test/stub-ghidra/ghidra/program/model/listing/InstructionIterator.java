package ghidra.program.model.listing;

import java.util.Iterator;

/** Stand-in: an iterator that can be iterated. */
public class InstructionIterator implements Iterator<Instruction>, Iterable<Instruction> {
    private final Iterator<Instruction> inner;

    public InstructionIterator(Iterator<Instruction> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Instruction next() {
        return inner.next();
    }

    @Override
    public Iterator<Instruction> iterator() {
        return this;
    }
}
