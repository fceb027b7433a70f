import { z, type StorageSeed } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import { originOf } from "../targets/origins.js";
import type { Secrets } from "./secrets.js";

const added = z.looseObject({ identifier: z.string() });
const navigated = z.looseObject({ frame: z.looseObject({ parentId: z.string().optional(), url: z.string() }) });
const cookieSet = z.looseObject({ success: z.boolean() });

/**
 * Puts cookies into the fresh profile, and local and session storage into the first document of their origin, before its own
 * scripts run; later documents find what the page made of it.
 */
export async function seedStorage(session: TargetSession, seed: StorageSeed, secrets: Secrets): Promise<void> {
  for (const { url, name, value, secret_env: secret, secure, http_only: httpOnly, same_site: sameSite } of seed.cookies) {
    await session.command(
      "Network.setCookie",
      {
        url,
        name,
        value: value ?? secrets.of(secret ?? ""),
        httpOnly,
        ...(secure === undefined ? {} : { secure }),
        ...(sameSite === undefined ? {} : { sameSite: { strict: "Strict", lax: "Lax", none: "None" }[sameSite] }),
      },
      cookieSet,
    );
  }
  const waiting = new Map<string, string>();
  for (const origin of new Set([...seed.local, ...seed.session].map((item) => item.origin))) {
    const items = (list: StorageSeed["local"]): [string, string][] => list.filter((item) => item.origin === origin).map(({ name, value }) => [name, value]);
    const { identifier } = await session.command("Page.addScriptToEvaluateOnNewDocument", { source: seedingScript(origin, items(seed.local), items(seed.session)), worldName: "rea" }, added);
    waiting.set(origin, identifier);
  }
  session.on("Page.frameNavigated", navigated, ({ frame }) => {
    const origin = originOf(frame.url);
    const identifier = waiting.get(origin);
    if (frame.parentId !== undefined || identifier === undefined) return;
    waiting.delete(origin);
    void session.tell("Page.removeScriptToEvaluateOnNewDocument", { identifier }).catch(() => undefined);
  });
}

/** Values are JSON inside a script, so what closes a script or begins a comment is no matter here: it is never markup. */
function seedingScript(origin: string, local: readonly [string, string][], sessionItems: readonly [string, string][]): string {
  return `if (self === top && location.origin === ${JSON.stringify(origin)}) {
    for (const [name, value] of ${JSON.stringify(local)}) localStorage.setItem(name, value);
    for (const [name, value] of ${JSON.stringify(sessionItems)}) sessionStorage.setItem(name, value);
  }`;
}
