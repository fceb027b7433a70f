import { addressValue, collectionSchema, coverageOf, coverageSchema, unescapeUntrusted, z, type CapabilityPorts, type Omission } from "@rea/core";
import { defineTool, effectClasses, type ToolContext } from "@rea/tool";
import { sortedAddresses } from "../composed/address-order.js";
import { compose, type Composition } from "../composed/composition.js";
import { distinctOmissions } from "../composed/distinct-omissions.js";
import { isImportedName } from "../composed/imported-name.js";
import { walkPages } from "../composed/paging.js";
import { deepTarget } from "../targets.js";

const maximumXrefs = 500;
const maximumCandidates = 20;

const resolved = z.strictObject({
  status: z.literal("resolved"),
  address: addressValue,
  /** All addresses of an import (its stubs and slots); else only `address`. */
  addresses: z.array(addressValue),
  xrefs: collectionSchema(addressValue),
  coverage: coverageSchema,
});
const unresolved = z.strictObject({
  status: z.literal("unresolved"),
  reason: z.enum(["name_not_found", "ambiguous_name"]),
  candidates: z.array(addressValue),
  names_examined: z.number().int().nonnegative(),
  /** Of the names: `name_not_found` is certain only when it is complete. */
  coverage: coverageSchema,
});

export const findXrefsToName = defineTool({
  name: "find_xrefs_to_name",
  family: "enhanced",
  description:
    "Returns the addresses that refer to an exactly named symbol, given name or import (through its stubs and slots). All names are read before it says unresolved; a name of several things gives `ambiguous_name` with candidates: call xrefs on one. Continue with resolve_containing_procedure on a reference.",
  input: z.strictObject({ name: z.string().min(1).max(4096).describe("Exact name, as list_names shows it") }),
  output: z.discriminatedUnion("status", [resolved, unresolved]),
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["list_names", "xrefs"],
  target: deepTarget,
  cli: { command: "find-xrefs-to-name", target: "open", positionals: ["name"] },
  examples: [{ title: "Who uses exit", target: "executable", input: { name: "exit" } }],
  run: async (input, ports, context) => {
    const composition = compose("find_xrefs_to_name", context);
    const bearers = await bearersOf(composition, ports, { name: input.name, context });
    const { addresses } = bearers;
    const [address] = addresses;
    if (address === undefined || (addresses.length > 1 && !bearers.imported)) {
      const result = {
        status: "unresolved" as const,
        reason: address === undefined ? ("name_not_found" as const) : ("ambiguous_name" as const),
        candidates: addresses.slice(0, maximumCandidates),
        names_examined: bearers.examined,
        coverage: coverageOf(bearers.omissions),
      };
      return { result, produced: composition.produced() };
    }
    const { xrefs, omissions } = await xrefsTo(composition, ports, { addresses, context });
    const coverage = coverageOf(distinctOmissions([...bearers.omissions, ...omissions]));
    const result = { status: "resolved" as const, address, addresses, xrefs, coverage };
    const limitations = xrefs.truncated ? ["More references exist; page them with xrefs on each of addresses."] : [];
    return { result, produced: composition.produced({ limitations, locations: [{ kind: "address", address }] }) };
  },
});

interface Bearers {
  readonly addresses: string[];
  /** All of them are places of an import. */
  readonly imported: boolean;
  readonly examined: number;
  readonly omissions: readonly Omission[];
}

/** Every address that bears the name, after all names were read. */
async function bearersOf(
  composition: Composition,
  ports: Pick<CapabilityPorts, "list_names">,
  { name, context }: { readonly name: string; readonly context: ToolContext },
): Promise<Bearers> {
  const exact = new Map<string, boolean>();
  const shown = new Map<string, boolean>();
  const omissions: Omission[] = [];
  let examined = 0;
  await walkPages(
    "list_names",
    (offset) => composition.ask(() => ports.list_names({ offset, limit: 500 }, context)),
    (page) => {
      examined += page.items.length;
      omissions.push(...page.coverage.omissions);
      for (const item of page.items) {
        if (item.value_truncated) continue;
        // Names are told apart by what they are; the shown form counts only when nothing is named so.
        if (unescapeUntrusted(item.value) === name) exact.set(item.address, isImportedName(item));
        else if (item.value === name) shown.set(item.address, isImportedName(item));
      }
    },
  );
  const found = exact.size > 0 ? exact : shown;
  return {
    addresses: sortedAddresses(found.keys()),
    imported: [...found.values()].every(Boolean),
    examined,
    omissions: distinctOmissions(omissions),
  };
}

async function xrefsTo(
  composition: Composition,
  ports: Pick<CapabilityPorts, "xrefs">,
  { addresses, context }: { readonly addresses: readonly string[]; readonly context: ToolContext },
) {
  const found: string[] = [];
  const omissions: Omission[] = [];
  let total: number | null = 0;
  let more = false;
  for (const address of addresses) {
    const page = await composition.ask(() => ports.xrefs({ address, offset: 0, limit: maximumXrefs }, context));
    found.push(...page.items);
    omissions.push(...page.coverage.omissions);
    total = total === null || page.total === null ? null : total + page.total;
    more ||= page.has_more;
  }
  // The pages of one address keep the provider's order, which next_offset counts in.
  const all = addresses.length === 1 ? found : sortedAddresses(found);
  const items = all.slice(0, maximumXrefs);
  const truncated = more || items.length < all.length;
  const next_offset = more && addresses.length === 1 ? items.length : null;
  const xrefs = { items, returned: items.length, total: truncated ? total : all.length, truncated, next_offset };
  return { xrefs, omissions };
}
