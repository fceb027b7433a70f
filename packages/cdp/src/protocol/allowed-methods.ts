import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";

type Method = keyof ProtocolMapping.Commands;

/**
 * Every protocol method that observing a page may send, and no other: none of them runs script, navigates, gives input,
 * closes anything or changes what the page sees. A socket refuses what is not in its list.
 */
export const observationMethods = [
  "Accessibility.getFullAXTree",
  "CacheStorage.requestCacheNames",
  "CacheStorage.requestEntries",
  "DOMSnapshot.captureSnapshot",
  "DOMStorage.getDOMStorageItems",
  "Debugger.disable",
  "Debugger.enable",
  "Debugger.getScriptSource",
  // Without it a `debugger` statement would stop the page while it is watched.
  "Debugger.setSkipAllPauses",
  "IndexedDB.getMetadata",
  "IndexedDB.requestDatabase",
  "IndexedDB.requestDatabaseNames",
  "Log.disable",
  "Log.enable",
  "Network.disable",
  "Network.enable",
  "Network.getCookies",
  "Network.getResponseBody",
  "Network.getSecurityIsolationStatus",
  "Page.captureScreenshot",
  "Page.disable",
  "Page.enable",
  "Page.getFrameTree",
  "Page.getLayoutMetrics",
  "Page.getResourceTree",
  "Page.setLifecycleEventsEnabled",
  "Runtime.disable",
  "Runtime.enable",
  "ServiceWorker.disable",
  "ServiceWorker.enable",
  "Storage.getStorageKey",
  "Target.attachToTarget",
  "Target.detachFromTarget",
  "Target.getTargets",
  // Only with a filter for workers, which tell their URL no other way; nothing waits for a debugger.
  "Target.setAutoAttach",
] as const satisfies readonly Method[];

/** What observing a V8 runtime may send; closing the socket undoes both. */
export const inspectorMethods = ["Debugger.enable", "Runtime.enable"] as const satisfies readonly Method[];
