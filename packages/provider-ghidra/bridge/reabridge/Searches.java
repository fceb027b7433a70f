package reabridge;

import ghidra.program.model.symbol.Symbol;
import ghidra.program.model.symbol.SourceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Searches by name and by content. What was found last is kept, so that its pages are cut from one list, and so that a search
 * that was given up goes on where it stopped when it is asked for again.
 */
final class Searches {
    private static final int KEPT = 8;
    private static final int CHECK_EVERY = 256;

    /** A match and the text of it that matched. */
    private record Hit(String address, String value) {
    }

    private static final class Search {
        final List<Hit> hits = new ArrayList<>();
        int next;
    }

    private final Held held;
    private final Map<List<Object>, Search> kept = new LinkedHashMap<>();

    Searches(Held held) {
        this.held = held;
    }

    Answer procedures(Params params, Work work) {
        List<Hit> hits = find("procedures", held.procedures.all(work), params, work, this::names);
        return new Answer(page(hits, params, Pages.cut("procedures", held.procedures.isCut())));
    }

    Answer strings(Params params, Work work) {
        List<Hit> hits = find("strings", held.strings.all(work), params, work,
                string -> List.of(new Hit(held.text(string.at()), string.value())));
        return new Answer(page(hits, params, Pages.cut("strings", held.strings.isCut()))).limited(Strings.SEARCHED);
    }

    /** The shown name and all others that something states for the entry. */
    private List<Hit> names(Procedures.Placed placed) {
        List<Hit> names = new ArrayList<>();
        String address = held.text(placed.at());
        names.add(new Hit(address, placed.function().getName()));
        for (Symbol symbol : held.program.getSymbolTable().getSymbols(placed.at())) {
            if (symbol.isDynamic() || symbol.getSource() == SourceType.DEFAULT) continue;
            if (names.stream().noneMatch(hit -> hit.value().equals(symbol.getName()))) names.add(new Hit(address, symbol.getName()));
        }
        return names;
    }

    private <T> List<Hit> find(String what, List<T> all, Params params, Work work, Function<T, List<Hit>> texts) {
        Predicate<String> matches = TextMatcher.of(params, work);
        List<Object> key = List.of(what, params.text("pattern", 512), params.text("mode", 16), params.flag("case_sensitive", false));
        Search search = kept.get(key);
        if (search == null) {
            search = new Search();
            if (kept.size() == KEPT) kept.remove(kept.keySet().iterator().next());
            kept.put(key, search);
        }
        while (search.next < all.size()) {
            if (search.next % CHECK_EVERY == 0) work.progress("searching_" + what, search.next);
            for (Hit hit : texts.apply(all.get(search.next))) {
                if (!matches.test(hit.value())) continue;
                search.hits.add(hit);
                break;
            }
            search.next++;
        }
        return search.hits;
    }

    private static Map<String, Object> page(List<Hit> hits, Params params, List<Object> omissions) {
        return Pages.page(hits, params, 100,
                hit -> Members.of("address", hit.address()).all(Texts.shown(hit.value(), Texts.SEARCH_VALUE)).map(), omissions);
    }
}
