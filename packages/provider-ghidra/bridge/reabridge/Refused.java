package reabridge;

/** A request that gets no result: a code for the other side, and a message without text of the target. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String code;

    public Refused(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }

    public static Refused malformed(String what) {
        return new Refused("malformed_request", what);
    }
}
