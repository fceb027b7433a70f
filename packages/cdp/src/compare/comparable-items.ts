import type { WebAccessibilityNode, WebDomNode, WebMetadata, WebRequest, WebResource, WebScript, WebStorage } from "@rea/core";
import type { ComparedItem } from "./compared-section.js";
import type { WebNormalization } from "./web-normalization.js";

/** How items of captures are compared: what makes them the same thing, and what of them may differ. */

interface TreeNode {
  readonly frame: string;
  readonly parent: number | null;
}

/** Names on the way from the root of the frame; the same for equal siblings, which their values and their order tell apart. */
function paths<N extends TreeNode>(nodes: readonly N[], nameOf: (node: N) => string): string[] {
  const found: string[] = [];
  const byFrame = new Map<string, string[]>();
  for (const node of nodes) {
    const own = byFrame.get(node.frame) ?? [];
    byFrame.set(node.frame, own);
    const parent = node.parent === null ? node.frame : (own[node.parent] ?? node.frame);
    // Deep trees would make paths long; their ends tell enough.
    const path = `${parent.length > 400 ? `…${parent.slice(-300)}` : parent}>${nameOf(node)}`;
    own.push(path);
    found.push(path);
  }
  return found;
}

export function domItems(nodes: readonly WebDomNode[], rules: WebNormalization): ComparedItem[] {
  const keys = paths(nodes, ({ type, name }) => rules.apply("dom", type === "element" ? name.toLowerCase() : type));
  return nodes.map((node, index) => ({
    key: keys[index] ?? "",
    value: { type: node.type, name: rules.apply("dom", node.name), value_length: node.value_length, attributes: node.attributes.map((name) => rules.apply("dom", name)), shadow_root: node.shadow_root },
  }));
}

export function accessibilityItems(nodes: readonly WebAccessibilityNode[], rules: WebNormalization): ComparedItem[] {
  const keys = paths(nodes, ({ role }) => role);
  return nodes.map((node, index) => ({
    key: keys[index] ?? "",
    value: {
      role: node.role,
      ignored: node.ignored,
      name: node.name === null ? null : rules.apply("accessibility", node.name),
      // A replaced name has another length; where names are kept, they say more.
      name_length: node.name === null ? node.name_length : null,
      value_length: node.value_length,
      properties: node.properties,
    },
    proves: !node.name_truncated,
  }));
}

export function scriptItems(scripts: readonly WebScript[], rules: WebNormalization): ComparedItem[] {
  return scripts.map((script) => ({
    // Where an inline script stands is a matter of its document.
    key: `${rules.apply("url", script.url)} ${script.kind}`,
    value: {
      frame: script.frame,
      length: script.length,
      content_sha256: script.content_sha256,
      source_map: script.source_map,
      source_map_url: script.source_map_url === null ? null : rules.apply("url", script.source_map_url),
      instances: script.instances,
    },
    proves: script.content_sha256 !== null,
  }));
}

export function resourceItems(resources: readonly WebResource[], rules: WebNormalization): ComparedItem[] {
  return resources.map((resource) => ({
    key: `${rules.apply("url", resource.url)} ${resource.type}`,
    value: { frame: resource.frame, media_type: resource.media_type, state: resource.state, bytes: resource.bytes },
  }));
}

/** What was sent and answered; sizes on the wire and caches change by themselves. */
export function requestItems(requests: readonly Pick<WebRequest, "method" | "url" | "resource_type" | "status" | "media_type" | "outcome">[], rules: WebNormalization): ComparedItem[] {
  return requests.map((request) => ({
    key: `${request.method} ${rules.apply("url", request.url)} ${request.resource_type}`,
    value: { status: request.status, media_type: request.media_type, outcome: request.outcome },
    proves: request.outcome !== "pending",
  }));
}

export function metadataItems(metadata: readonly WebMetadata[], rules: WebNormalization): ComparedItem[] {
  return metadata.map((item) => ({
    key: `${item.frame ?? ""} ${item.source} ${item.name}${item.url === null ? "" : ` ${rules.apply("url", item.url)}`}`,
    // Links are URLs, and normalised as those too.
    value: { value: item.name.startsWith("link:") ? rules.apply("url", rules.apply("metadata", item.value)) : rules.apply("metadata", item.value) },
    proves: !item.value_truncated,
  }));
}

/** Without a fingerprint over everything, equal numbers do not mean equal content. */
export function storageItems(storages: readonly WebStorage[], rules: WebNormalization): ComparedItem[] {
  return storages.map((storage) => ({
    key: `${storage.scope} ${rules.apply("storage", storage.origin)}`,
    value: { entries: storage.entries, fingerprint: storage.fingerprint, keys: storage.keys?.map((key) => rules.apply("storage", key)) ?? null },
    proves: storage.entries === 0 || (storage.complete && storage.fingerprint !== null),
  }));
}
