import { parseArgs } from "node:util";
import { judgeEngine } from "./engine-bench.js";
import { engineTable } from "./engine-table.js";
import { groupReports } from "./group-report.js";

/** `engine [FOLDER] [--only TEXT] [--json]`: prints what was judged; progress goes to standard error. */
export async function runEngineBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, only: { type: "string" } },
  });
  const progress = (text: string): void => void process.stderr.write(`${text}\n`);
  const rows = await judgeEngine({ folder: positionals[0], only: values.only, progress });
  if (values.json) console.log(JSON.stringify({ programs: rows, groups: groupReports(rows) }, null, 2));
  else console.log(engineTable(rows));
}
