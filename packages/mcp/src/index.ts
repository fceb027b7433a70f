export { connectServer, type ConnectedServer, type McpServerOptions } from "./server.js";
export { serveStdio } from "./stdio.js";
