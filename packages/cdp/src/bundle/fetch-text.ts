import { throwIfAborted } from "@rea/core";

export type FetchedText = { readonly state: "read"; readonly text: string } | { readonly state: "failed"; readonly reason: string };

const timeoutMs = 5000;

/** One GET without cookies; redirects are not followed, and no more than the limit is read. Throws `cancelled` only. */
export async function fetchText(url: string, { maximumBytes, signal }: { readonly maximumBytes: number; readonly signal: AbortSignal }): Promise<FetchedText> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.any([signal, deadline]), headers: { accept: "application/json, */*" } });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { state: "failed", reason: response.status >= 300 && response.status < 400 ? "The server redirects, which is not followed." : `The server answered with status ${String(response.status)}.` };
    }
    return await bodyText(response, maximumBytes);
  } catch {
    throwIfAborted(signal, "analyze_web_bundle");
    return { state: "failed", reason: deadline.aborted ? `The server did not answer within ${String(timeoutMs)} ms.` : "The server cannot be reached." };
  }
}

async function bodyText(response: Response, maximumBytes: number): Promise<FetchedText> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    const chunk: unknown = part?.value;
    if (!(chunk instanceof Uint8Array)) return { state: "read", text: Buffer.concat(chunks).toString("utf8") };
    bytes += chunk.length;
    if (bytes > maximumBytes) {
      await reader?.cancel();
      return { state: "failed", reason: `The answer is larger than ${String(maximumBytes)} bytes.` };
    }
    chunks.push(chunk);
  }
}
