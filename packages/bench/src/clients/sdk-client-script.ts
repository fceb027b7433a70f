/** A small client on one version of the SDK: starts what a configuration registers as `rea`, lists its tools and asks it who it is. */
export function sdkClientScript(alias: string): string {
  return `import { readFileSync } from "node:fs";
import { Client } from "${alias}/client/index.js";
import { StdioClientTransport } from "${alias}/client/stdio.js";
const { command, args } = JSON.parse(readFileSync(process.argv[2], "utf8")).mcpServers.rea;
const client = new Client({ name: "${alias}", version: "1" }, { capabilities: {} });
await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
const { tools } = await client.listTools();
const reply = await client.callTool({ name: "binary_session", arguments: {} });
const { result } = JSON.parse(reply.content[0].text);
console.log("${alias.slice(4)}: " + tools.length + " tools, binary_session says " + result.server_identity.protocol_version);
await client.close();
`;
}
