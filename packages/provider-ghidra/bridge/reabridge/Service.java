package reabridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Answers the requests of one connection in order, on the calling thread; another thread reads, so that a request can be
 * given up while it is answered. Ends with the connection.
 */
public final class Service {
    private record Request(long id, String method, Params params) {
    }

    private static final Request END = new Request(-1, "", null);
    private static final int MESSAGE_CODE_POINTS = 4_096;

    private final Wire wire;
    private final String token;
    private final Operations operations;
    private final LinkedBlockingQueue<Request> waiting = new LinkedBlockingQueue<>();
    private final Set<Long> givenUp = ConcurrentHashMap.newKeySet();
    private long activeId = -1;
    private Work active;

    public Service(Wire wire, String token, Operations operations) {
        this.wire = wire;
        this.token = token;
        this.operations = operations;
    }

    public void run() throws IOException, InterruptedException {
        wire.writeLine(JsonWriter.write(Members.of("hello", 1).and("token", token).map(), 4_096));
        Thread reader = new Thread(this::read, "rea-bridge-reader");
        reader.setDaemon(true);
        reader.start();
        for (;;) {
            Request request = waiting.take();
            if (request == END) return;
            answer(request);
        }
    }

    private void read() {
        try {
            for (;;) {
                String line = wire.readLine();
                if (line == null || !take(JsonReader.readObject(line))) break;
            }
        } catch (IOException | Refused ended) {
            // A connection that breaks, or leaves the protocol, is over.
        } finally {
            giveUpAll();
        }
    }

    /** False when the session wants us to end. */
    private boolean take(Map<String, Object> line) {
        if (!(line.get("id") instanceof Long id) || !isToken(line.get("token"))) throw Refused.malformed("Not one of our session.");
        if (Boolean.TRUE.equals(line.get("shutdown"))) return false;
        if (Boolean.TRUE.equals(line.get("cancel"))) {
            giveUp(id);
            return true;
        }
        boolean known = line.keySet().equals(Set.of("id", "token", "method", "params"));
        if (!known || !(line.get("method") instanceof String method)) throw Refused.malformed("Not a request.");
        waiting.add(new Request(id, method, new Params(line).object("params")));
        return true;
    }

    private synchronized void giveUp(long id) {
        if (active != null && activeId == id) active.cancel();
        else givenUp.add(id);
    }

    private synchronized void giveUpAll() {
        waiting.clear();
        waiting.add(END);
        if (active != null) active.cancel();
    }

    private synchronized Work begin(Request request) {
        active = new Work((phase, completed) -> report(request.id(), phase, completed));
        activeId = request.id();
        if (givenUp.remove(request.id())) active.cancel();
        return active;
    }

    private synchronized void end() {
        active = null;
        // Ids rise: what was given up after its answer is not waited for.
        givenUp.removeIf(id -> id <= activeId);
    }

    private void answer(Request request) throws IOException {
        Work work = begin(request);
        String line;
        try {
            work.check();
            Object result = operations.answer(request.method(), request.params(), work);
            line = JsonWriter.write(Members.of("id", request.id()).and("ok", true).and("result", result).map(), Wire.MAXIMUM_ANSWER_BYTES);
        } catch (Refused refused) {
            line = failure(request.id(), refused.code(), refused.getMessage());
        } catch (Exception | StackOverflowError | OutOfMemoryError fault) {
            // The class alone: a message may hold text of the target.
            line = failure(request.id(), "bridge_exception", fault.getClass().getName());
        } finally {
            end();
        }
        wire.writeLine(line);
    }

    private static String failure(long id, String code, String message) {
        Map<String, Object> error = Members.of("code", code).and("message", Texts.cut(message, MESSAGE_CODE_POINTS)).map();
        return JsonWriter.write(Members.of("id", id).and("ok", false).and("error", error).map(), Wire.MAXIMUM_ANSWER_BYTES);
    }

    private void report(long id, String phase, long completed) {
        Map<String, Object> event = Members.of("phase", phase).and("completed", completed).and("total", null).map();
        try {
            wire.writeLine(JsonWriter.write(Members.of("id", id).and("event", event).map(), 4_096));
        } catch (IOException ended) {
            throw Work.cancelled();
        }
    }

    /** Takes the same time wherever the two differ. */
    private boolean isToken(Object given) {
        return given instanceof String text
                && MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
