import { dispatchFromSymbols, omission, unescapeUntrusted, type CapabilityPorts, type DispatchData, type SymbolName } from "@rea/core";
import type { ToolContext } from "@rea/tool";
import type { Composition } from "../composed/composition.js";
import { isImportedName } from "../composed/imported-name.js";
import { walkPages } from "../composed/paging.js";

const how_to_continue = "Open the target with a provider that reads Objective-C and Swift metadata.";

/** What the names of the bound provider say about Objective-C and Swift; all of them are read. */
export async function symbolMetadata(
  composition: Composition,
  ports: Pick<CapabilityPorts, "list_names">,
  context: ToolContext,
): Promise<DispatchData> {
  const symbols: SymbolName[] = [];
  await walkPages(
    "list_names",
    (offset) => composition.ask(() => ports.list_names({ offset, limit: 500 }, context)),
    (page) => {
      for (const item of page.items) {
        if (item.value_truncated) continue;
        const name = unescapeUntrusted(item.value);
        symbols.push({ name, address: item.address, file_offset: null, imported: isImportedName(item) });
      }
    },
  );
  return dispatchFromSymbols(symbols, [omission("runtime metadata", "not_examined", { how_to_continue })]);
}
