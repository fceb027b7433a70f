import { formatAddress, pageOf, type OperationParams, type OperationResult } from "@rea/core";
import type { AnnotationChange, Author } from "../annotations/annotation-store.js";
import { answer, type Answer } from "./answer.js";
import { addressOrCursor, givenAddress, mappedAddress } from "./cursor.js";
import type { ImageQuery } from "./query.js";
import { shownLines, shownName } from "./shown-text.js";

/** An image and who is asking, for operations that write annotations. */
export interface AnnotationQuery extends ImageQuery {
  readonly author: Author;
}

export function comment(query: ImageQuery, params: OperationParams<"comment">): Answer<OperationResult<"comment">> {
  const { va, resolved } = addressOrCursor(query, params.address, "comment");
  return answer(lines(query.annotations.comment(va)), { at: va, resolved });
}

export function inlineComment(
  query: ImageQuery,
  params: OperationParams<"inline_comment">,
): Answer<OperationResult<"inline_comment">> {
  const { va, resolved } = addressOrCursor(query, params.address, "inline_comment");
  return answer(lines(query.annotations.inlineComment(va)), { at: va, resolved });
}

export function listBookmarks(
  query: ImageQuery,
  params: OperationParams<"list_bookmarks">,
): Answer<OperationResult<"list_bookmarks">> {
  const show = ({ va, name }: { va: bigint; name: string | null }) => ({
    address: formatAddress(va),
    name: name === null ? null : shownName(name),
  });
  return answer(pageOf(query.annotations.bookmarks(), params, show));
}

export function setAddressName(
  query: AnnotationQuery,
  params: OperationParams<"set_address_name">,
): Answer<OperationResult<"set_address_name">> {
  const va = mappedAddress(query, params.address, { operation: "set_address_name", path: "address" });
  return written(query, { kind: "name", va, action: "set", value: params.name });
}

/** Names what can be named in one write; the others say why not. */
export function setAddressesNames(
  query: AnnotationQuery,
  params: OperationParams<"set_addresses_names">,
): Answer<OperationResult<"set_addresses_names">> {
  const wanted = params.names.map(({ address, name }) => ({ va: givenAddress(address), name }));
  const possible = wanted.filter(({ va }) => query.memory.isMapped(va));
  const changes = possible.map(({ va, name }) => ({ kind: "name" as const, va, action: "set" as const, value: name }));
  if (changes.length > 0) query.annotations.write(changes, query.author);
  const page = pageOf(wanted, { offset: 0, limit: wanted.length }, ({ va }) => {
    const ok = query.memory.isMapped(va);
    return { address: formatAddress(va), ok, reason: ok ? null : "The address lies outside every mapped range." };
  });
  return answer(page);
}

export function setComment(
  query: AnnotationQuery,
  params: OperationParams<"set_comment">,
): Answer<OperationResult<"set_comment">> {
  const va = mappedAddress(query, params.address, { operation: "set_comment", path: "address" });
  return written(query, textChange("comment", va, params.comment));
}

export function setInlineComment(
  query: AnnotationQuery,
  params: OperationParams<"set_inline_comment">,
): Answer<OperationResult<"set_inline_comment">> {
  const va = mappedAddress(query, params.address, { operation: "set_inline_comment", path: "address" });
  return written(query, textChange("inline_comment", va, params.comment));
}

export function setBookmark(
  query: AnnotationQuery,
  params: OperationParams<"set_bookmark">,
): Answer<OperationResult<"set_bookmark">> {
  const va = mappedAddress(query, params.address, { operation: "set_bookmark", path: "address" });
  return written(query, { kind: "bookmark", va, action: "set", value: params.name ?? null });
}

/** False when there was no bookmark. */
export function unsetBookmark(
  query: AnnotationQuery,
  params: OperationParams<"unset_bookmark">,
): Answer<OperationResult<"unset_bookmark">> {
  const va = mappedAddress(query, params.address, { operation: "unset_bookmark", path: "address" });
  if (!query.annotations.hasBookmark(va)) return answer(false, { at: va });
  return written(query, { kind: "bookmark", va, action: "unset", value: null });
}

/** Empty text takes a comment away. */
function textChange(kind: "comment" | "inline_comment", va: bigint, text: string): AnnotationChange {
  return text === "" ? { kind, va, action: "unset", value: null } : { kind, va, action: "set", value: text };
}

function written(query: AnnotationQuery, change: AnnotationChange): Answer<boolean> {
  query.annotations.write([change], query.author);
  return answer(true, { at: givenAddress(formatAddress(change.va)) });
}

function lines(text: string | undefined): string | null {
  return text === undefined ? null : shownLines(text);
}
