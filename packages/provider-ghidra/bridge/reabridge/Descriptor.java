package reabridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** What the session that started us told us, in a file only we can read. */
public record Descriptor(String transport, String endpointPath, String token, String targetSha256, String providerVersion) {
    private static final int MAXIMUM_BYTES = 16 * 1024;
    private static final Set<String> KEYS = Set.of("schema_version", "transport", "endpoint_path", "token", "run_id",
            "target_sha256", "provider_version", "profile_digest");

    public static Descriptor read(Path file) throws IOException {
        Map<String, Object> members = JsonReader.readObject(smallText(file, MAXIMUM_BYTES));
        if (!members.keySet().equals(KEYS) || !Long.valueOf(1).equals(members.get("schema_version"))) {
            throw Refused.malformed("The descriptor is not one of this bridge.");
        }
        return new Descriptor(text(members, "transport"), text(members, "endpoint_path"), text(members, "token"),
                text(members, "target_sha256"), text(members, "provider_version"));
    }

    static String smallText(Path file, int maximumBytes) throws IOException {
        if (Files.size(file) > maximumBytes) throw Refused.malformed("A file of the session is too long.");
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private static String text(Map<String, Object> members, String key) {
        if (members.get(key) instanceof String value) return value;
        throw Refused.malformed("The descriptor is not one of this bridge.");
    }
}
