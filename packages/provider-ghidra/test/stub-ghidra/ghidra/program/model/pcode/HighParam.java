package ghidra.program.model.pcode;

/** Stand-in. */
public class HighParam extends HighVariable {
    public final int slot;

    public HighParam(String name, int slot) {
        super(name);
        this.slot = slot;
    }

    public int getSlot() {
        return slot;
    }
}
