import type { ErrorObject } from "@rea/core";
import { expect, test } from "vitest";
import { errorText } from "./error-text.js";

const commandOf = (name: string) => (name === "list_procedures" ? "rea tool list_procedures" : undefined);
const error = (message: string, action: string, details: Record<string, unknown> = {}): ErrorObject => ({
  code: "invalid_request",
  category: "invalid_input",
  message,
  retryable: true,
  remediation: { action, restart_required: false },
  details,
});
const onlySurfaces = /details\.|open_binary|provider_id|binary_session|call again/i;

test("a provider that is not there lists those that are, with the option that names one", () => {
  const text = errorText(
    error("No analysis provider has the requested id. Choose one of details.candidate_ids, or auto.", 'Call open_binary again with provider_id "a", or "rea-native", or "auto".', { candidate_ids: ["a", "rea-native"], rejections: [] }),
    { commandOf },
  );
  expect(text).toContain("providers: a, rea-native");
  expect(text).toContain('next: Run the command again with --provider "a", or "rea-native", or "auto".');
  expect(text).not.toMatch(onlySurfaces);
});

test("a rejected provider says why on a line of its own", () => {
  const text = errorText(
    error("The analysis provider is unavailable. See details.rejections for the cause.", 'No executable was found. Or call open_binary again with provider_id "auto".', {
      rejections: [{ provider_id: "a", code: "executable_missing", reason: "No executable was found.", diagnostics: ["searched: 3"] }, { provider_id: "b", code: "host_unsupported" }],
    }),
    { commandOf },
  );
  expect(text).toContain("\n  a: No executable was found.; searched: 3\n  b: host unsupported\n");
  expect(text).toContain('\n  next: Correct the cause above, or run the command again with --provider "auto".\n');
  expect(text).not.toMatch(onlySurfaces);
});

test("an engine that ended shows how, and the last lines it wrote", () => {
  const details = { reason: "engine_exited", exit_code: 3, signal: null, stderr_tail: `${"line\n".repeat(20)}no licence\n` };
  const text = errorText(error("The engine ended before it answered. Call again to start a fresh one; details show how it ended.", "Call binary_session to see why the provider is unavailable, then call again.", details), { commandOf });
  expect(text).toContain("Run the command again to start a fresh one.\n  the engine ended with status 3\n  | line\n");
  expect(text.match(/\|/g)).toHaveLength(6);
  expect(text).toContain("  | no licence\n");
  const killed = errorText(error("It ended.", "See.", { ...details, signal: "SIGKILL", exit_code: null, stderr_tail: "" }), { commandOf });
  expect(killed).toBe("rea: It ended.\n  the engine ended by SIGKILL\n  next: See.\n");
});

test("an issue is one line, in the words of the command line, and says nothing twice", () => {
  const issues = [{ path: "address", reason: "invalid_value", expected: "expected an address below 2^64" }];
  const next = "Correct the arguments named in details.issues and call again.";
  const text = errorText(error("The address is wrong.", next, { issues }), { commandOf });
  expect(text).toContain("\n  --address: invalid value; expected an address below 2^64\n");
  expect(text).not.toContain("expected expected");
  const range = { path: "limit", reason: "out_of_range", expected: "number", minimum: 1 };
  const once = errorText(error("x cannot use these arguments: limit is out of range (at least 1).", next, { issues: [range, range] }), { commandOf });
  expect(once.match(/range/g)).toHaveLength(1);
  expect(once).not.toMatch(onlySurfaces);
});

test("the file an error is about is named first, tools become commands, and a next step is said once", () => {
  const subject = { name: "--snapshot s\u001B[31m", next: "Delete this file." };
  expect(errorText(error("The snapshot is damaged.", "Save it."), { commandOf, subject })).toMatch(/^rea: --snapshot s\\u\{1b\}\[31m: The snapshot is damaged\.\n {2}next: Delete this file\.\n$/);
  const text = errorText(error("Nothing has that name. Use list_procedures.", "Use list_procedures."), { commandOf });
  expect(text).toBe("rea: Nothing has that name. Use rea tool list_procedures.\n");
});
