package ghidra.util.task;

/** Stand-in. */
public class TaskMonitorAdapter implements TaskMonitor {
    private volatile boolean cancelled;

    public TaskMonitorAdapter(boolean cancelEnabled) {
    }

    public void cancel() {
        cancelled = true;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }
}
