import { coverageOf, omission, type Omission } from "../omission.js";
import { pageOf } from "../page.js";
import { swiftKinds, type DispatchItem, type ObjcClassItem, type SwiftTypeItem } from "../operations/dispatch-metadata.js";
import type { OperationParams, OperationResult } from "../operations/index.js";
import { escapeUntrusted, truncateCodePoints } from "../untrusted-text.js";
import type { DispatchData } from "./dispatch-data.js";

/** Answers of the four metadata operations, cut from the whole: filtered on the text itself, escaped for showing. */

const longestText = 1024;
const mostSwiftItems = 1000;
const mostFields = 100;

export function objcClassPage(data: DispatchData, params: OperationParams<"get_objc_classes">): OperationResult<"get_objc_classes"> {
  const found = data.classes.filter(({ name }) => matches(name, params.pattern));
  return pageOf(found, params, showClass, data.objcOmissions);
}

export function objcProtocolPage(
  data: DispatchData,
  params: OperationParams<"get_objc_protocols">,
): OperationResult<"get_objc_protocols"> {
  const found = data.protocols.filter(({ name }) => matches(name, params.pattern));
  const show = (item: (typeof found)[number]) => ({ ...item, name: shown(item.name), protocols: item.protocols.map(shown) });
  return pageOf(found, params, show, data.objcOmissions);
}

export function swiftTypeCategories(
  data: DispatchData,
  params: OperationParams<"analyze_swift_types">,
): OperationResult<"analyze_swift_types"> {
  const found = data.swift.filter(({ item }) => matches(item.module === null ? item.name : `${item.module}.${item.name}`, params.pattern));
  const kept = found.slice(0, mostSwiftItems);
  const categories = swiftKinds
    .map((kind) => ({ kind, items: kept.filter((entry) => entry.kind === kind).map(({ item }) => showSwift(item)) }))
    .filter(({ items }) => items.length > 0);
  const omissions = [...data.swiftOmissions, ...leftOut(found.length - kept.length)];
  return { categories, total: found.length, coverage: coverageOf(omissions) };
}

export function dispatchPage(
  data: DispatchData,
  params: OperationParams<"inspect_native_dispatch_metadata">,
): OperationResult<"inspect_native_dispatch_metadata"> {
  const { pattern } = params;
  const found = data.dispatch.filter(({ name, owner }) => matches(name, pattern) || (owner !== null && matches(owner, pattern)));
  return pageOf(found, params, showDispatch, withoutRepetition([...data.objcOmissions, ...data.swiftOmissions]));
}

/** The filter is text as the file has it, or as results show it. */
function matches(text: string, pattern: string): boolean {
  return pattern === "" || text.includes(pattern) || shown(text).includes(pattern);
}

function leftOut(count: number): Omission[] {
  if (count <= 0) return [];
  const how_to_continue = "Give a pattern, or page inspect_native_dispatch_metadata.";
  return [omission("swift types", "limit_items", { count, limit: mostSwiftItems, how_to_continue })];
}

function withoutRepetition(omissions: readonly Omission[]): readonly Omission[] {
  return [...new Map(omissions.map((item) => [`${item.reason} ${item.scope}`, item])).values()];
}

function showClass(item: ObjcClassItem): ObjcClassItem {
  return { ...item, name: shown(item.name), superclass: shownOrNull(item.superclass), protocols: item.protocols.map(shown) };
}

function showSwift(item: SwiftTypeItem): SwiftTypeItem {
  return {
    ...item,
    name: shown(item.name),
    module: shownOrNull(item.module),
    superclass: shownOrNull(item.superclass),
    conforms_to: item.conforms_to.map(shown),
    fields: item.fields.slice(0, mostFields).map(({ name, type, variable }) => ({
      name: shownOrNull(name),
      type: shownOrNull(type),
      variable,
    })),
  };
}

function showDispatch(item: DispatchItem): DispatchItem {
  return { ...item, name: shown(item.name), owner: shownOrNull(item.owner), detail: shownOrNull(item.detail) };
}

function shownOrNull(text: string | null): string | null {
  return text === null ? null : shown(text);
}

/** A cut shows as an ellipsis. */
function shown(text: string): string {
  const { text: kept, truncated } = truncateCodePoints(text, longestText);
  return truncated ? `${escapeUntrusted(kept)}…` : escapeUntrusted(kept);
}
