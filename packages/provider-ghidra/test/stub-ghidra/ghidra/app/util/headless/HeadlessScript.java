package ghidra.app.util.headless;

import ghidra.app.script.GhidraScript;

/** Stand-in. */
public abstract class HeadlessScript extends GhidraScript {
    public boolean timedOut;

    public boolean analysisTimeoutOccurred() {
        return timedOut;
    }
}
