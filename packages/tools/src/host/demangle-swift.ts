import { coverageOf, escapeUntrusted, omission, pageSchema, z, type SwiftDemangling } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

const count = z.number().int().nonnegative();

/** Bytes of names in one result. It stands twice in the reply, which stays under 1 MiB. */
const budgetBytes = 360_000;

const resultSchema = pageSchema(
  z.strictObject({
    symbol: z.string(),
    /** The symbol itself when it was not demangled. */
    demangled: z.string(),
    ok: z.boolean(),
  }),
).extend({
  program: z.strictObject({
    tool: z.string(),
    tool_version: z.string().nullable(),
    executable_sha256: z.string(),
    exit: z.strictObject({ code: z.number().int().nullable(), signal: z.string().nullable() }),
    stdout_bytes: count,
    stderr_bytes: count,
    truncated: z.boolean(),
  }),
});
type Result = z.output<typeof resultSchema>;

export const demangleSwift = defineTool({
  name: "demangle_swift",
  family: "binary-format",
  description:
    "Turns mangled Swift symbols ($s…, _$s…, _T…) into readable names with the swift-demangle program of this host; says for each whether it was one, and which program answered. Needs no target. Symbols left out for size are told with next_offset. C++ and Rust names are readable in inspect_binary already.",
  input: z.strictObject({
    symbols: z.array(z.string().min(1).max(4096)).min(1).max(500).describe("Mangled symbols"),
  }),
  output: resultSchema,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["hostPrograms"],
  host: "swift_demangle",
  target: "none",
  cli: { command: "demangle-swift", target: "none", positionals: ["symbols"] },
  examples: [{ title: "Two symbols", input: { symbols: ["$s4Main3DogC4barkyyF", "_$sSS7cStringSSSPys4Int8VG_tcfC"] } }],
  run: async ({ symbols }, ports, context) => {
    const { result, ...produced } = await ports.hostPrograms.demangleSwift(symbols, context);
    return { result: page(symbols, result), produced };
  },
});

/** The names in the order asked for, as many as were answered and fit. */
function page(symbols: readonly string[], { names, program }: SwiftDemangling): Result {
  const items: Result["items"] = [];
  let bytes = 0;
  for (const [index, name] of names.entries()) {
    const symbol = escapeUntrusted(symbols[index] ?? "");
    const item = { symbol, demangled: name === null ? symbol : escapeUntrusted(name), ok: name !== null };
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > budgetBytes && items.length > 0) break;
    items.push(item);
  }
  const rest = symbols.length - items.length;
  const left = omission("symbols", "limit_total_bytes", {
    count: rest,
    how_to_continue: "Call again with the symbols from next_offset on.",
  });
  return {
    items,
    coverage: coverageOf(rest === 0 ? [] : [left]),
    offset: 0,
    limit: symbols.length,
    total: symbols.length,
    next_offset: rest === 0 ? null : items.length,
    has_more: rest > 0,
    program: { ...program, exit: { ...program.exit }, tool_version: program.tool_version === null ? null : escapeUntrusted(program.tool_version) },
  };
}
