package reabridge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result with what it leaves out and the address it is about. */
public final class Answer {
    private final Object value;
    private final List<String> limitations = new ArrayList<>();
    private String at;

    public Answer(Object value) {
        this.value = value;
    }

    public Answer at(String address) {
        at = address;
        return this;
    }

    /** A sentence of ours, never text of the target. */
    public Answer limited(String sentence) {
        if (sentence != null && !limitations.contains(sentence)) limitations.add(sentence);
        return this;
    }

    public Answer limited(List<String> sentences) {
        sentences.forEach(this::limited);
        return this;
    }

    public Map<String, Object> wrapped() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("value", value);
        members.put("limitations", limitations);
        members.put("at", at);
        return members;
    }
}
