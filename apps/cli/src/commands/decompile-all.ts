import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pseudocodeHeader } from "@rea/runtime";
import type { FunctionTexts } from "../function-texts.js";
import { interrupt } from "../interrupt.js";
import { writeOutputFile } from "../output.js";

/** Files of one folder before they are put into folders by address. */
const mostInOneFolder = 5000;
/** Of those that failed, told at the end; the list of all is in the directory. */
const mostTold = 20;
const notWritten = "/* Not written as C:";

export interface DecompileHost {
  readonly texts: Pick<FunctionTexts, "one" | "page" | "progress">;
  readonly say: (text: string) => void;
}

interface Counts {
  written: number;
  /** A file that says why there is no code. */
  reasons: number;
  elsewhere: number;
}

/** One file a function, named by its entry and name, and `rea.h`; what fails stops nothing and is listed in `not-written.txt`. */
export async function decompileAll(host: DecompileHost, directory: string, inOneFolder = mostInOneFolder): Promise<number> {
  const { texts, say } = host;
  mkdirSync(directory, { recursive: true });
  if (!writeOutputFile(join(directory, "rea.h"), pseudocodeHeader())) return 1;
  const counts: Counts = { written: 0, reasons: 0, elsewhere: 0 };
  const failed: string[] = [];
  const folders = new Set<string>();
  let seen = 0;
  for await (const { address, name, total } of procedures(texts)) {
    if (interrupt.signal.aborted) break;
    seen += 1;
    texts.progress(seen, total);
    const reply = await texts.one(address);
    if (!reply.ok) {
      failed.push(`${address}: ${reply.error.message}`);
      continue;
    }
    if (reply.text === null) {
      counts.elsewhere += 1;
      continue;
    }
    const folder = total > inOneFolder ? join(directory, folderName(address)) : directory;
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    if (!writeOutputFile(join(folder, `${fileName(`${address}_${name}`)}.c`), `${reply.text}\n`)) return 1;
    if (reply.text.startsWith(notWritten)) counts.reasons += 1;
    else counts.written += 1;
  }
  return ended(say, directory, { counts, failed });
}

function ended(say: DecompileHost["say"], directory: string, { counts, failed }: { readonly counts: Counts; readonly failed: readonly string[] }): number {
  const { written, reasons, elsewhere } = counts;
  const stopped = interrupt.signal.aborted ? "Stopped before the end: " : "";
  say(`${stopped}${String(written)} functions written, ${String(reasons)} files say why there is no code, ${String(elsewhere)} have their body in another file, ${String(failed.length)} failed.\n`);
  for (const line of failed.slice(0, mostTold)) say(`${line}\n`);
  if (failed.length > 0 && !writeOutputFile(join(directory, "not-written.txt"), `${failed.join("\n")}\n`)) return 1;
  if (failed.length > mostTold) say(`All of them are in not-written.txt of the directory.\n`);
  return interrupt.signal.aborted || failed.length > 0 ? 1 : 0;
}

const pageSize = 500;

async function* procedures(texts: DecompileHost["texts"]): AsyncGenerator<{ readonly address: string; readonly name: string; readonly total: number }> {
  for (let offset = 0; ; offset += pageSize) {
    const page = await texts.page(offset, pageSize);
    for (const { address, value, procedure } of page.items) if (!procedure.external) yield { address, name: value, total: page.total ?? page.items.length };
    if (!page.has_more) return;
  }
}

/** Functions of the same 64 KiB stand together. */
function folderName(address: string): string {
  return address.length > 6 ? address.slice(0, -4) : "0x0";
}

/** Target text never decides where a file goes. */
export function fileName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, "_").replace(/^\.+/, "_").slice(0, 120);
}
