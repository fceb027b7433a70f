import { escapeUntrusted, pageOf, z, type WebBrowser, type WebTarget, type WebTargetList, type RuntimeTargetList } from "@rea/core";
import { observationMethods } from "../protocol/allowed-methods.js";
import { Connection } from "../protocol/connection.js";
import { discover, type Discovered, type DiscoveredTarget, type DiscoveryContext } from "../protocol/discovery.js";
import { hasOrigin, originOf } from "./origins.js";
import { shownUrl } from "./shown-url.js";

const targetInfos = z.looseObject({ targetInfos: z.array(z.looseObject({ targetId: z.string(), attached: z.boolean() })) });

/** Said wherever it holds. */
export const attachedUnknown = "The endpoint does not tell whether another client is attached to a target.";

export interface TargetPage {
  readonly offset: number;
  readonly limit: number;
}

/** What an endpoint has, and who else is attached where it tells. */
export interface Surveyed extends Discovered {
  /** By target id; absent where nothing is told. */
  readonly attached: ReadonlyMap<string, boolean>;
}

/** Discovery, and one question to the browser: which targets have a client. Attaches to nothing. */
export async function survey(context: DiscoveryContext): Promise<Surveyed> {
  const found = await discover(context);
  const attached = new Map<string, boolean>();
  if (found.browserSocket !== null) {
    const { operation, signal } = context;
    const connection = await Connection.open({ url: found.browserSocket, allow: observationMethods, operation, signal });
    try {
      const { targetInfos: infos } = await connection.command("Target.getTargets", {}, targetInfos);
      for (const info of infos) attached.set(info.targetId, info.attached);
    } finally {
      connection.close();
    }
  }
  // Old browsers leave the socket of a target out while a client holds it.
  for (const { id, socket } of found.targets) if (socket === null && found.browserSocket !== null) attached.set(id, true);
  return { ...found, attached };
}

/** Pages of web sites, in the order of the endpoint. */
export async function listBrowserTargets(context: DiscoveryContext, request: TargetPage & { readonly allowedOrigins?: readonly string[] | undefined }): Promise<WebTargetList> {
  const found = await survey(context);
  return listed(found, request, (target) => {
    if (target.type !== "page") return "non_page";
    if (!/^https?:/i.test(target.url)) return "unsupported_url";
    return request.allowedOrigins?.includes(originOf(target.url)) === false ? "disallowed_origin" : null;
  });
}

/** Pages that an application shows from its own files. */
export async function listElectronTargets(context: DiscoveryContext, request: TargetPage): Promise<WebTargetList> {
  const found = await survey(context);
  return listed(found, request, (target) => {
    if (target.type !== "page") return "non_page";
    return /^file:/i.test(target.url) ? null : "unsupported_url";
  });
}

/** Runtimes and pages whose scripts can be observed. */
export async function listRuntimeTargets(context: DiscoveryContext, request: TargetPage): Promise<RuntimeTargetList> {
  const found = await survey(context);
  const kept = found.targets.filter(({ type }) => type === "node" || type === "page");
  return {
    runtime: runtimeOf(found),
    targets: pageOf(kept, request, (target) => shownTarget(target, found)),
    excluded: { unsupported_type: found.targets.length - kept.length },
    limitations: found.browserSocket === null ? [attachedUnknown] : [],
  };
}

type Exclusion = keyof WebTargetList["excluded"];

function listed(found: Surveyed, request: TargetPage, exclusionOf: (target: DiscoveredTarget) => Exclusion | null): WebTargetList {
  const excluded = { disallowed_origin: 0, unsupported_url: 0, non_page: 0 };
  const kept = found.targets.filter((target) => {
    const reason = exclusionOf(target);
    if (reason !== null) excluded[reason] += 1;
    return reason === null;
  });
  return {
    browser: browserOf(found),
    targets: pageOf(kept, request, (target) => shownTarget(target, found)),
    excluded,
    limitations: found.browserSocket === null ? [attachedUnknown] : [],
  };
}

export function browserOf({ version }: Discovered): WebBrowser {
  const { product, protocol_version, revision, user_agent, js_version } = version;
  const escaped = escapeUntrusted;
  return {
    product: escaped(product),
    protocol_version: escaped(protocol_version),
    revision: escaped(revision),
    user_agent: escaped(user_agent),
    js_version: escaped(js_version),
  };
}

export function runtimeOf({ version }: Discovered): RuntimeTargetList["runtime"] {
  return { product: escapeUntrusted(version.product), protocol_version: escapeUntrusted(version.protocol_version), js_version: escapeUntrusted(version.js_version) };
}

/** As results carry it; titles are cut after 512 characters. */
export function shownTarget({ id, type, title, url }: DiscoveredTarget, { attached }: Surveyed): WebTarget {
  return {
    target_id: escapeUntrusted(id),
    type: escapeUntrusted(type),
    title: escapeUntrusted([...title].slice(0, 512).join("")),
    url: escapeUntrusted(shownUrl(url)),
    origin: hasOrigin(url) ? originOf(url) : "null",
    attached: attached.get(id) ?? null,
  };
}
