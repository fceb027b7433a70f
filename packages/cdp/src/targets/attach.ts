import { throwIfAborted, z, type WebBrowser, type WebTarget } from "@rea/core";
import { observationMethods } from "../protocol/allowed-methods.js";
import { Connection, CommandRefused } from "../protocol/connection.js";
import type { DiscoveredTarget, DiscoveryContext } from "../protocol/discovery.js";
import { observationError } from "../protocol/failures.js";
import { TargetSession } from "../protocol/target-session.js";
import { originOf, OriginPolicy, requireOrigins } from "./origins.js";
import { attachedUnknown, browserOf, shownTarget, survey } from "./target-list.js";

export interface PageRequest extends DiscoveryContext {
  readonly targetId: string;
  /** Default: the origin of the page. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Whether a page with this URL is one that the operation is for. */
  readonly supports: (url: string) => boolean;
}

/** A page that may be looked at, before anything is attached to it. */
export interface AdmittedPage {
  readonly context: DiscoveryContext;
  readonly browser: WebBrowser;
  readonly target: WebTarget;
  readonly targetId: string;
  readonly policy: OriginPolicy;
  readonly allowedOrigins: readonly string[];
  /** Where to connect: the browser, over which sessions are opened, or where there is none the target itself. */
  readonly socket: { readonly url: string; readonly ofBrowser: boolean };
  readonly limitations: readonly string[];
}

/** Finds the page and checks that it may be looked at: it exists, is a page, its origin is allowed, nobody else holds it. */
export async function admitPage(request: PageRequest): Promise<AdmittedPage> {
  const { operation, allowedOrigins } = request;
  if (allowedOrigins !== undefined) requireOrigins(allowedOrigins, operation);
  const found = await survey(request);
  const target = found.targets.find(({ id }) => id === request.targetId);
  if (target === undefined) throw observationError({ operation, reason: "target_not_found", message: "The endpoint has no target with this target_id. List the targets again." });
  requirePage(target, request);
  const origins = allowedOrigins ?? [originOf(target.url)];
  const policy = new OriginPolicy(origins);
  if (!policy.allows(originOf(target.url))) {
    throw observationError({ operation, reason: "target_not_allowed", message: "The page is of an origin that allowed_origins does not name. Name it, or choose another target." });
  }
  if (found.attached.get(target.id) === true) {
    throw observationError({ operation, reason: "target_not_allowed", message: "Another client is attached to this target. Close it (developer tools count as one), and call again." });
  }
  const url = found.browserSocket ?? target.socket;
  if (url === null) throw observationError({ operation, reason: "target_not_allowed", message: "The endpoint gives no socket for this target, which is how it tells of another client. Close that, and call again." });
  return {
    context: request,
    browser: browserOf(found),
    target: shownTarget(target, found),
    targetId: target.id,
    policy,
    allowedOrigins: origins,
    socket: { url, ofBrowser: found.browserSocket !== null },
    limitations: found.browserSocket === null ? [attachedUnknown] : [],
  };
}

function requirePage({ type, url }: DiscoveredTarget, { operation, supports }: PageRequest): void {
  if (type === "page" && supports(url)) return;
  const what = type === "page" ? "The page has a URL of a kind that this tool does not look at" : "The target is not a page";
  throw observationError({ operation, reason: "target_not_allowed", message: `${what}. List the targets and choose one that the list names.` });
}

const attached = z.looseObject({ sessionId: z.string().min(1).max(256) });

/** A connection of its own with a session in the page. `close` detaches and closes the socket; it is safe to call twice. */
export interface AttachedPage {
  readonly connection: Connection;
  readonly session: TargetSession;
  /** A session in another target of the page: a frame of another process, or a worker. Null where the endpoint has none. */
  attach(targetId: string): Promise<TargetSession | null>;
  close(): Promise<void>;
}

export async function attachPage(page: AdmittedPage): Promise<AttachedPage> {
  const { operation, signal } = page.context;
  const connection = await Connection.open({ url: page.socket.url, allow: observationMethods, operation, signal });
  const sessions: TargetSession[] = [];
  const attach = async (targetId: string): Promise<TargetSession | null> => {
    if (!page.socket.ofBrowser) return targetId === page.targetId ? new TargetSession(connection, undefined) : null;
    const { sessionId } = await connection.command("Target.attachToTarget", { targetId, flatten: true }, attached);
    const session = new TargetSession(connection, sessionId);
    sessions.push(session);
    return session;
  };
  try {
    const session = await attach(page.targetId);
    if (session === null) throw new Error("The page itself has a session.");
    return { connection, session, attach, close: () => detachAll(connection, sessions) };
  } catch (error) {
    connection.close();
    throwIfAborted(signal, operation);
    if (!(error instanceof CommandRefused)) throw error;
    throw observationError({ operation, reason: "target_not_found", message: "The target went away before it could be attached to. List the targets again.", cause: error });
  }
}

/** Undoes and detaches side by side, within the deadline of one command; what is stuck goes with the socket. */
async function detachAll(connection: Connection, sessions: readonly TargetSession[]): Promise<void> {
  if (connection.failure === null) await Promise.all(sessions.map((session) => session.end()));
  connection.close();
}
