import type { EndpointFact, RouteFact } from "../facts/fact.js";
import type { In } from "../link/in-script.js";
import type { LinkedApplication } from "../link/linked-application.js";
import { endpointKey, findingOf } from "./fact-nodes.js";
import type { NodePlaces } from "./node-places.js";

const sameShape = { authority: "static-relationship-inference", state: "inferred", confidence: "medium", limitations: ["Concluded from equal paths; which program answers the address is decided at run time."] } as const;

/** Paths inside the application: what serves each, what navigates to it, and what calls the one that a server of it has. */
export function addRoutes({ scripts }: LinkedApplication, places: NodePlaces): void {
  const served = new Map<string, Set<string>>();
  for (const script of scripts) {
    for (const fact of script.facts.routes) {
      const route = addRoute({ ...fact, script }, places);
      if (route === undefined || fact.basis !== "server-route") continue;
      const shape = shapeOf(fact.value);
      served.set(shape, (served.get(shape) ?? new Set()).add(route));
    }
  }
  for (const script of scripts) for (const fact of script.facts.endpoints) addCall({ ...fact, script }, places, served);
}

function addRoute({ script, ...fact }: In<RouteFact>, places: NodePlaces): string | undefined {
  const finding = findingOf(script, fact);
  const node = places.builder.node({ kind: "endpoint", strategy: "artifact-local-key", value: `route ${fact.value}`, name: fact.value, properties: { method: null, route: true }, finding });
  places.builder.edge(fact.basis === "navigation" ? "calls" : "handles", places.owner(script, fact.at), node, { finding, properties: { basis: fact.basis, ...(fact.method === null ? {} : { method: fact.method }) } });
  return node;
}

/** An address of the application's own host meets the one route of its shape. */
function addCall({ script, ...fact }: In<EndpointFact>, places: NodePlaces, served: ReadonlyMap<string, ReadonlySet<string>>): void {
  const path = /^(?:https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|\{\})(?::\d+)?)?(\/[^/].*)$/iu.exec(fact.value)?.[1];
  const [route, ...others] = path === undefined ? [] : (served.get(shapeOf(path)) ?? []);
  if (route === undefined || others.length > 0) return;
  const finding = { ...findingOf(script, fact), ...sameShape };
  const endpoint = places.builder.node({ kind: "endpoint", strategy: "artifact-local-key", value: endpointKey(fact), name: fact.value, properties: { method: fact.method }, finding: findingOf(script, fact) });
  places.builder.edge("calls", endpoint, route, { finding });
}

/** `/users/:id`, `/users/{}` and `/users/[id]` are one shape. */
function shapeOf(path: string): string {
  return path
    .replace(/[?#].*$/su, "")
    .replace(/\/+$/u, "")
    .split("/")
    .map((segment) => (/^(?::.*|\[.*\]|\*.*|.*\{\}.*)$/su.test(segment) ? "{}" : segment))
    .join("/");
}
