export { connectServer, type ConnectedServer, type McpServerOptions } from "./server.js";
export { serveStdio, type Streams } from "./stdio.js";
