package reabridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Parts of lists: pages, and collections inside a dossier. */
final class Pages {
    /** What the items of one page may take, so that the whole answer fits its line. */
    private static final long PAGE_BYTES = 700 * 1024;
    private static final long COLLECTION_BYTES = 90 * 1024;

    private Pages() {
    }

    static Map<String, Object> omission(String scope, String reason, Long count, Long limit, String how) {
        return Members.of("scope", scope).and("reason", reason).and("count", count).and("limit", limit).and("how_to_continue", how).map();
    }

    /** For a list that was kept to its bound. */
    static List<Object> cut(String scope, boolean isCut) {
        if (!isCut) return List.of();
        return List.of(omission(scope, "limit_items", null, (long) Inventory.MOST_ITEMS, null));
    }

    /** Ends before its limit when its items are large; the next page goes on there. */
    static <T> Map<String, Object> page(List<T> all, Params params, int mostItems, Function<T, ?> show, List<Object> omissions) {
        int offset = params.offset("offset");
        int limit = params.integer("limit", 1, mostItems);
        List<Object> items = taken(all, offset, limit, PAGE_BYTES, show);
        int end = Math.min(offset, all.size()) + items.size();
        boolean more = end < all.size();
        boolean isWhole = omissions.isEmpty();
        return Members.of("items", items)
                .and("coverage", Members.of("state", isWhole ? "complete" : "partial").and("omissions", omissions).map())
                .and("offset", params.exactOffset("offset"))
                .and("limit", limit)
                .and("total", isWhole || !omissions.toString().contains("limit_items") ? all.size() : null)
                .and("next_offset", more ? end : null)
                .and("has_more", more)
                .map();
    }

    static <T> Map<String, Object> collection(List<T> all, int offset, int limit, Function<T, ?> show) {
        List<Object> items = taken(all, offset, limit, COLLECTION_BYTES, show);
        int end = Math.min(offset, all.size()) + items.size();
        boolean more = end < all.size();
        return Members.of("items", items)
                .and("returned", items.size())
                .and("total", all.size())
                .and("truncated", more)
                .and("next_offset", more ? end : null)
                .map();
    }

    private static <T> List<Object> taken(List<T> all, int offset, int limit, long maximumBytes, Function<T, ?> show) {
        List<Object> items = new ArrayList<>();
        long bytes = 0;
        for (int i = offset; i < all.size() && items.size() < limit; i++) {
            Object item = show.apply(all.get(i));
            bytes += JsonWriter.size(item);
            if (bytes > maximumBytes && !items.isEmpty()) break;
            items.add(item);
        }
        return items;
    }
}
