package reabridge;

import java.util.Map;
import java.util.Set;

/** The members of a request, each of the one form that an operation takes. */
public final class Params {
    private final Map<String, Object> members;

    public Params(Map<String, Object> members) {
        this.members = members;
    }

    /** Refuses members that the operation does not know. */
    public Params only(String... known) {
        if (Set.of(known).containsAll(members.keySet())) return this;
        throw Refused.malformed("The request has members that the operation does not know.");
    }

    public String text(String key, int maximum) {
        if (members.get(key) instanceof String value && !value.isEmpty() && value.length() <= maximum) return value;
        throw wrong(key);
    }

    public boolean has(String key) {
        return members.get(key) != null;
    }

    public boolean flag(String key, boolean otherwise) {
        if (!has(key)) return otherwise;
        if (members.get(key) instanceof Boolean value) return value;
        throw wrong(key);
    }

    public int integer(String key, int minimum, int maximum) {
        if (members.get(key) instanceof Long value && value >= minimum && value <= maximum) return value.intValue();
        throw wrong(key);
    }

    /** First item of a page; what lies beyond every list is the end of all of them. */
    public int offset(String key) {
        if (members.get(key) instanceof Long value && value >= 0) return (int) Math.min(value, Integer.MAX_VALUE);
        throw wrong(key);
    }

    /** As it was given. */
    public long exactOffset(String key) {
        offset(key);
        return (Long) members.get(key);
    }

    public Params object(String key) {
        if (members.get(key) instanceof Map<?, ?> map) {
            Map<String, Object> inner = new java.util.LinkedHashMap<>();
            map.forEach((name, value) -> inner.put((String) name, value));
            return new Params(inner);
        }
        throw wrong(key);
    }

    private static Refused wrong(String key) {
        return Refused.malformed("The member " + key + " is not of the expected form.");
    }
}
