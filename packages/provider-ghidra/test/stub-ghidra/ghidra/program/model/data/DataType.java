package ghidra.program.model.data;

/** Stand-in. */
public class DataType {
    public final String name;
    public String path;
    public int length;
    public int alignment;

    public DataType(String name) {
        this.name = name;
        this.path = "/" + name;
    }

    public String getName() {
        return name;
    }

    public String getPathName() {
        return path;
    }

    public int getLength() {
        return length;
    }

    public int getAlignment() {
        return alignment;
    }

    public boolean isEquivalent(DataType other) {
        return other.getClass() == getClass() && other.name.equals(name) && other.length == length;
    }
}
