import { z } from "../z.js";

/** Static scripts of the loopback servers, and what the servers record. */

const count = z.number().int().nonnegative();
const headers = z.array(z.strictObject({ name: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, "expected a header name"), value: z.string().max(8192) })).max(64);
const body = z.strictObject({
  encoding: z.enum(["utf8", "base64"]).default("utf8"),
  data: z.string().max(1_398_104),
});

/** Exchanges are served in order of first match; each as often as `max_uses` says. */
export const replayHttpSchema = z.strictObject({
  exchanges: z
    .array(
      z.strictObject({
        method: z.string().regex(/^[A-Z]{1,32}$/, "expected an HTTP method"),
        /** Path and query after the token of the server's URL. */
        path: z.string().regex(/^\//, "expected a path that starts with /").max(4096),
        /** What the request's body must be; default anything. */
        request_body: body.optional(),
        response: z.strictObject({
          status: z.number().int().min(100).max(599),
          headers: headers.default([]),
          body: body.optional(),
          /** Wait before the answer. */
          delay_ms: z.number().int().min(0).max(60_000).default(0),
          /** Close the connection instead of answering. */
          disconnect: z.boolean().default(false),
        }),
        max_uses: z.number().int().min(1).max(10_000).default(1),
      }),
    )
    .min(1)
    .max(1000),
});

/** One script for one connection after the other; its steps happen in order. */
export const replayWebSocketSchema = z.strictObject({
  connections: z
    .array(
      z.strictObject({
        path: z.string().regex(/^\//, "expected a path that starts with /").max(4096).default("/"),
        steps: z
          .array(
            z.discriminatedUnion("kind", [
              z.strictObject({ kind: z.literal("expect"), body }),
              z.strictObject({ kind: z.literal("send"), body, binary: z.boolean().default(false), delay_ms: z.number().int().min(0).max(60_000).default(0) }),
              z.strictObject({ kind: z.literal("close"), code: z.number().int().min(1000).max(4999).default(1000) }),
            ]),
          )
          .max(1000),
      }),
    )
    .min(1)
    .max(100),
});

export type ReplayHttpScript = z.output<typeof replayHttpSchema>;
export type ReplayWebSocketScript = z.output<typeof replayWebSocketSchema>;

export const replayOutcomes = [
  "matched",
  "unmatched",
  "script_exhausted",
  "disconnected",
  "invalid_state",
  "guard_failed",
  "transition_exhausted",
  "invalid_capture",
  "unexpected_reconnect",
  "limit_exhausted",
] as const;

/** What a loopback server saw or sent. */
export const protocolEventSchema = z.strictObject({
  at_ms: count,
  transport: z.enum(["http", "websocket"]),
  /** Connections of a capture are numbered from 0. */
  connection: count,
  kind: z.enum(["request", "response", "connect", "message_in", "message_out", "close"]),
  /** Of what the program did; null for what the server did. */
  outcome: z.enum(replayOutcomes).nullable(),
  method: z.string().nullable(),
  /** Without the token. */
  path: z.string().nullable(),
  status: count.nullable(),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  body: z.strictObject({ bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/), data_base64: z.string(), truncated: z.boolean() }).nullable(),
});
export type ProtocolEvent = z.output<typeof protocolEventSchema>;

export const replayTransitionSchema = z.strictObject({
  at_ms: count,
  /** Of the machine; null when no transition was taken. */
  transition_id: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  outcome: z.enum(replayOutcomes),
  /** Aliases of what was captured; values are not recorded. */
  captures: z.array(z.string()),
});
export type ReplayTransition = z.output<typeof replayTransitionSchema>;
