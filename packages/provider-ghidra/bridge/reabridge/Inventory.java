package reabridge;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A list of the program that is read once and then kept. A request that is given up while it is read loses nothing: the
 * next one goes on where it stopped.
 */
final class Inventory<T> {
    static final int MOST_ITEMS = 1_000_000;
    private static final int CHECK_EVERY = 256;

    private final String phase;
    private final Iterator<? extends T> source;
    private final List<T> items = new ArrayList<>();
    private boolean complete;
    private boolean cut;

    /** Null from the source is passed over. */
    Inventory(String phase, Iterator<? extends T> source) {
        this.phase = phase;
        this.source = source;
    }

    List<T> read(Work work) {
        for (int turn = 0; !complete; turn++) {
            if (turn % CHECK_EVERY == 0) work.progress(phase, items.size());
            if (items.size() >= MOST_ITEMS) {
                cut = source.hasNext();
                complete = true;
            } else if (source.hasNext()) {
                T item = source.next();
                if (item != null) items.add(item);
            } else complete = true;
        }
        return items;
    }

    /** Whether the program has more than are kept. */
    boolean isCut() {
        return cut;
    }
}
