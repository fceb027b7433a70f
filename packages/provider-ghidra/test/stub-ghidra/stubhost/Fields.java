package stubhost;

import java.util.List;
import java.util.Map;

/** An object of a program's file, read leniently: what is left out has a default. */
final class Fields {
    private final Map<?, ?> members;

    Fields(Object value) {
        this.members = (Map<?, ?>) value;
    }

    String text(String key, String otherwise) {
        Object value = members.get(key);
        if (value instanceof List<?> units) {
            StringBuilder text = new StringBuilder();
            units.forEach(unit -> text.append((char) ((Long) unit).intValue()));
            return text.toString();
        }
        return value == null ? otherwise : (String) value;
    }

    long number(String key, long otherwise) {
        Object value = members.get(key);
        if (value instanceof String hex) return Long.parseUnsignedLong(hex.substring(2), 16);
        return value == null ? otherwise : (Long) value;
    }

    boolean flag(String key) {
        return Boolean.TRUE.equals(members.get(key));
    }

    boolean has(String key) {
        return members.get(key) != null;
    }

    List<Fields> list(String key) {
        Object value = members.get(key);
        return value == null ? List.of() : ((List<?>) value).stream().map(Fields::new).toList();
    }

    List<?> values(String key) {
        Object value = members.get(key);
        return value == null ? List.of() : (List<?>) value;
    }
}
