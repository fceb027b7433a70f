import { silentProgress, type ProgressReporter } from "@rea/core";

/** One call's reporter over a start and a request, which count on their own: what is reported never goes back. */
export function risingReporter(reporter: ProgressReporter): ProgressReporter {
  if (reporter === silentProgress) return reporter;
  let floor = 0;
  return {
    report({ phase, message, completed, total }) {
      floor = Math.max(floor, completed);
      reporter.report(total !== undefined && total >= floor ? { phase, message, completed: floor, total } : { phase, message, completed: floor });
    },
  };
}
