package ghidra.program.model.lang;

/** Stand-in: flags of an operand. */
public final class OperandType {
    public static final int INDIRECT = 4;
    public static final int REGISTER = 0x200;
    public static final int ADDRESS = 0x2000;
    public static final int SCALAR = 0x4000;
    public static final int DYNAMIC = 0x400000;

    private OperandType() {
    }

    public static boolean isIndirect(int type) {
        return (type & INDIRECT) != 0;
    }

    public static boolean isRegister(int type) {
        return (type & REGISTER) != 0;
    }

    public static boolean isAddress(int type) {
        return (type & ADDRESS) != 0;
    }

    public static boolean isScalar(int type) {
        return (type & SCALAR) != 0;
    }

    public static boolean isDynamic(int type) {
        return (type & DYNAMIC) != 0;
    }
}
