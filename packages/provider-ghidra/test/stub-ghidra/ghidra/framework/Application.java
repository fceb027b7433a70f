package ghidra.framework;

/** Stand-in. */
public final class Application {
    public static String version;

    private Application() {
    }

    public static String getApplicationVersion() {
        return version;
    }
}
