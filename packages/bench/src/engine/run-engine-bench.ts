import { parseArgs } from "node:util";
import { judgeEngine } from "./engine-bench.js";
import { engineTable } from "./engine-table.js";
import { figureTable } from "./figure.js";
import { measureFigures } from "./figures.js";
import { groupReports } from "./group-report.js";

/**
 * `engine [FOLDER] [--only REGEX] [--part corpus|figures] [--json]`: prints what was judged and measured; progress goes
 * to standard error.
 */
export async function runEngineBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, only: { type: "string" }, part: { type: "string" } },
  });
  const progress = (text: string): void => void process.stderr.write(`${text}\n`);
  const rows = values.part === "figures" ? [] : await judgeEngine({ folder: positionals[0], only: values.only, progress });
  const figures = values.part === "corpus" ? [] : await measureFigures(progress, values.part === "figures" ? values.only : undefined);
  if (values.json) {
    console.log(JSON.stringify({ programs: rows, groups: groupReports(rows), figures }, null, 2));
    return;
  }
  const tables = [...(rows.length > 0 ? [engineTable(rows)] : []), ...(figures.length > 0 ? [figureTable(figures)] : [])];
  console.log(tables.join("\n\n"));
}
