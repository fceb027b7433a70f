import { afterAll, describe, expect, it } from "vitest";
import { traceFeature } from "../src/semantics/trace/feature-trace.js";
import { analyze, clean, writeTree, type Tree } from "./support/written-tree.js";

afterAll(clean);

const application: Tree = {
  "package.json": JSON.stringify({ name: "shop", version: "1.0.0", main: "server.js" }),
  "server.js": `const app = require("express")(); const { find } = require("./orders");
app.get("/api/orders/:id", (request, response) => response.json(find(request.params.id)));
app.post("/api/orders", (request, response) => response.end());
app.use("/twice", () => {}); app.use("/twice/", () => {});`,
  "orders.js": `exports.find = (id) => fetch("https://orders.example/" + id);`,
  "client.js": "export const load = (id) => fetch(`/api/orders/${id}`); export const all = () => fetch(\"/api/orders?page=1\"); fetch(\"/twice\"); fetch(\"https://other.example/api/orders\");",
  "router.js": `import Cart from "./cart.js"; export const routes = [{ path: "/cart", component: Cart }]; export const go = (router) => router.navigate("/cart");`,
  "cart.js": "export default function Cart() {}",
  "jquery.js": `$.get("/list", function (data) {});`,
};

describe("routes", () => {
  it("are nodes that code handles, navigates to, and calls by the one path of their shape", async () => {
    const { graph } = await analyze(writeTree(application));
    const names = new Map(graph.nodes.map(({ node_id, name, properties }) => [node_id, `${name}${properties["route"] === true ? " (route)" : ""}`]));
    const edges = (relation: string): readonly string[] => graph.edges.filter((edge) => edge.relation === relation).map(({ from, to, state }) => `${names.get(from) ?? ""} → ${names.get(to) ?? ""} ${state}`).sort();
    expect(edges("handles")).toEqual([
      "router.js → /cart (route) observed",
      "server.js → /api/orders (route) observed",
      "server.js → /api/orders/:id (route) observed",
      "server.js → /twice (route) observed",
      "server.js → /twice/ (route) observed",
    ]);
    expect(edges("calls")).toEqual([
      "/api/orders/{} → /api/orders/:id (route) inferred",
      "/api/orders?page=1 → /api/orders (route) inferred",
      "client.js → /api/orders/{} inferred",
      "client.js → /api/orders?page=1 observed",
      "client.js → /twice observed",
      "client.js → https://other.example/api/orders observed",
      "jquery.js → /list observed",
      "orders.js → https://orders.example/{} inferred",
      "router.js → /cart (route) inferred",
    ]);
  });

  it("lead a trace from who asks to what answers", async () => {
    const { graph, reply } = await analyze(writeTree(application));
    const limits = { max_depth: 12, max_nodes: 2000, max_edges: 4000, max_paths: 100, max_seed_matches: 25 };
    const trace = traceFeature({ graph, graphSha256: reply.graph_sha256, semantics: null, seed: { kind: "route", value: "/api/orders/:id", match: "exact", case_sensitive: true }, direction: "both", limits, native: [], offset: 0, limit: 500 });
    expect(trace.seeds.items).toMatchObject([{ matched: "name", text: "/api/orders/:id" }]);
    expect(trace.nodes.items.map(({ name }) => name)).toEqual(expect.arrayContaining(["client.js", "server.js", "orders.js", "https://orders.example/{}"]));
    const cart = traceFeature({ graph, graphSha256: reply.graph_sha256, semantics: null, seed: { kind: "route", value: "/cart", match: "exact", case_sensitive: true }, direction: "outgoing", limits, native: [], offset: 0, limit: 500 });
    expect(cart.nodes.items.map(({ name }) => name)).toEqual(["/cart", "router.js", "cart.js"]);
  });
});
