import { isJsonObject } from "@rea/core";
import type { CommandSession } from "../command-session.js";
import { UsageError } from "../usage-error.js";

const pageSize = 500;

/** All procedures of the target by address, page after page; external ones are left out. */
export async function* procedurePages(session: CommandSession): AsyncGenerator<{ readonly address: string; readonly name: string }> {
  for (let offset = 0; ; offset += pageSize) {
    const reply = await session.call("list_procedures", { offset, limit: pageSize });
    if (!reply.ok) throw new UsageError(reply.error.message);
    const items = isJsonObject(reply.value.result) && Array.isArray(reply.value.result["items"]) ? reply.value.result["items"] : [];
    for (const item of items) {
      if (!isJsonObject(item) || !isJsonObject(item["procedure"]) || item["procedure"]["external"] === true) continue;
      const { address, value } = item;
      if (typeof address === "string" && typeof value === "string") yield { address, name: `${address}_${value}` };
    }
    if (items.length < pageSize) return;
  }
}
