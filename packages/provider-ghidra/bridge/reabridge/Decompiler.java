package reabridge;

import ghidra.app.decompiler.DecompInterface;
import ghidra.app.decompiler.DecompileOptions;
import ghidra.app.decompiler.DecompileResults;
import ghidra.program.model.listing.Function;
import ghidra.program.model.pcode.HighFunction;
import java.util.Map;

/** Pseudocode. The decompiler is a program of its own that is started by the first request and ended with the bridge. */
final class Decompiler implements AutoCloseable {
    private static final int SECONDS = 30;
    private static final int DOSSIER_CODE_POINTS = 300_000;

    private final Held held;
    private DecompInterface decompiler;

    Decompiler(Held held) {
        this.held = held;
    }

    Answer pseudocode(Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        boolean bodiless = Procedures.isImport(placed.function());
        String text = bodiless ? null : decompile(placed.function(), work).getDecompiledFunction().getC();
        return new Answer(text).at(held.text(placed.at()));
    }

    /** For the dossier: the text, and how the function is called and jumps. */
    Answer dossier(Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        Function function = placed.function();
        String text = null;
        HighFunction high = null;
        if (!Procedures.isImport(function)) {
            DecompileResults results = decompile(function, work);
            text = results.getDecompiledFunction().getC();
            high = results.getHighFunction();
        }
        String shown = text == null ? null : Texts.cut(text, DOSSIER_CODE_POINTS);
        Map<String, Object> value = Members.of("text", shown)
                .and("text_truncated", text != null && shown.length() < text.length())
                .and("native_api", NativeApi.of(held, function, high))
                .map();
        return new Answer(value).at(held.text(placed.at()));
    }

    /** Definitions and uses of a function's values; null for one without a body here. */
    Answer values(Params params, Work work) {
        Procedures.Placed placed = held.procedure(params, work);
        boolean bodiless = Procedures.isImport(placed.function());
        Map<String, Object> graph = bodiless ? null : Values.of(held, decompile(placed.function(), work).getHighFunction(), work);
        return new Answer(graph).at(held.text(placed.at()));
    }

    private DecompileResults decompile(Function function, Work work) {
        DecompileResults results = opened().decompileFunction(function, SECONDS, work.monitor());
        work.check();
        if (results.isTimedOut()) throw new Refused("decompile_timeout", "The decompiler did not finish in time.");
        if (!results.decompileCompleted() || results.getDecompiledFunction() == null) {
            // Another one is started by the next request, whatever state this one is in.
            close();
            throw new Refused("decompile_failed", "The decompiler gave nothing for this procedure.");
        }
        return results;
    }

    private DecompInterface opened() {
        if (decompiler != null) return decompiler;
        DecompInterface opening = new DecompInterface();
        opening.setOptions(new DecompileOptions());
        opening.toggleCCode(true);
        opening.toggleSyntaxTree(true);
        opening.setSimplificationStyle("decompile");
        if (!opening.openProgram(held.program)) {
            opening.dispose();
            throw new Refused("decompile_failed", "The decompiler did not start.");
        }
        decompiler = opening;
        return opening;
    }

    @Override
    public void close() {
        if (decompiler != null) decompiler.dispose();
        decompiler = null;
    }
}
