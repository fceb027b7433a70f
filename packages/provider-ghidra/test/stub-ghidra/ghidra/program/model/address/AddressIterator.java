package ghidra.program.model.address;

import java.util.Iterator;

/** Stand-in. */
public class AddressIterator implements Iterator<Address> {
    private final Iterator<Address> inner;

    public AddressIterator(Iterator<Address> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Address next() {
        return inner.next();
    }
}
