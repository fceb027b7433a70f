package ghidra.util.task;

/** Stand-in. */
public interface TaskMonitor {
    boolean isCancelled();
}
