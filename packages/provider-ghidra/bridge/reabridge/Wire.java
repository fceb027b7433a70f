package reabridge;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** The one connection to the session that started us, line by line. Reading and writing go on at the same time. */
public final class Wire implements Closeable {
    public static final int MAXIMUM_ANSWER_BYTES = 1024 * 1024;
    /** 256 Ki characters take at most three bytes each. */
    private static final int MAXIMUM_REQUEST_BYTES = 3 * 256 * 1024;
    private static final int MAXIMUM_ENDPOINT_BYTES = 1024;

    // The channel itself: its streams would lock each other out.
    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(64 * 1024).limit(0);

    private Wire(SocketChannel channel) {
        this.channel = channel;
    }

    public static Wire connect(Descriptor descriptor) throws IOException {
        Path path = Path.of(descriptor.endpointPath());
        switch (descriptor.transport()) {
            case "unix":
                SocketChannel local = SocketChannel.open(StandardProtocolFamily.UNIX);
                local.connect(UnixDomainSocketAddress.of(path));
                return new Wire(local);
            case "tcp":
                return new Wire(SocketChannel.open(new InetSocketAddress(loopback(), port(path))));
            default:
                throw Refused.malformed("The transport is not known.");
        }
    }

    /** Without its line feed; null at the end of the connection. Throws when a line is too long or no UTF-8. */
    public String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (;;) {
            while (in.hasRemaining()) {
                byte b = in.get();
                if (b == '\n') return decoded(line.toByteArray());
                if (line.size() >= MAXIMUM_REQUEST_BYTES) throw new IOException("a line is too long");
                line.write(b);
            }
            in.clear();
            int read = channel.read(in);
            in.flip();
            if (read < 0) return null;
        }
    }

    public synchronized void writeLine(String line) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
        while (bytes.hasRemaining()) channel.write(bytes);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static String decoded(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] { 127, 0, 0, 1 });
    }

    private static int port(Path file) throws IOException {
        Map<String, Object> members = JsonReader.readObject(Descriptor.smallText(file, MAXIMUM_ENDPOINT_BYTES));
        boolean ours = members.size() == 2 && "127.0.0.1".equals(members.get("host"));
        if (!ours || !(members.get("port") instanceof Long port) || port < 1 || port > 65_535) {
            throw Refused.malformed("The endpoint file is not one of this bridge.");
        }
        return port.intValue();
    }
}
