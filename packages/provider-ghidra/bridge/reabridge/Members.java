package reabridge;

import java.util.LinkedHashMap;
import java.util.Map;

/** Builds an object member by member, in order. */
public final class Members {
    private final Map<String, Object> map = new LinkedHashMap<>();

    public static Members of(String key, Object value) {
        return new Members().and(key, value);
    }

    public Members and(String key, Object value) {
        map.put(key, value);
        return this;
    }

    public Members all(Map<String, Object> more) {
        map.putAll(more);
        return this;
    }

    public Map<String, Object> map() {
        return map;
    }
}
