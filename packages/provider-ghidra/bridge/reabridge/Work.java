package reabridge;

import ghidra.util.task.TaskMonitor;
import ghidra.util.task.TaskMonitorAdapter;

/** One request while it is answered: it can be given up, and says how far it is. */
public final class Work {
    private static final long BETWEEN_REPORTS_NANOS = 100_000_000L;

    /** Where progress goes. */
    public interface Listener {
        void progress(String phase, long completed);
    }

    private final TaskMonitorAdapter monitor = new TaskMonitorAdapter(true);
    private final Listener listener;
    private long reportedAt = System.nanoTime();

    public Work(Listener listener) {
        this.listener = listener;
    }

    /** From any thread. */
    public void cancel() {
        monitor.cancel();
    }

    public TaskMonitor monitor() {
        return monitor;
    }

    public void check() {
        if (monitor.isCancelled()) throw cancelled();
    }

    public void progress(String phase, long completed) {
        check();
        long now = System.nanoTime();
        if (now - reportedAt < BETWEEN_REPORTS_NANOS) return;
        reportedAt = now;
        listener.progress(phase, completed);
    }

    public static Refused cancelled() {
        return new Refused("cancelled", "The request was given up.");
    }
}
