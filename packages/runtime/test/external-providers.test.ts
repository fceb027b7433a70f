import fc from "fast-check";
import { expect, test } from "vitest";
import { createRuntime } from "../src/index.js";
import { createFakeProvider, fakeUnavailable, fakeUnsupported } from "@rea/testkit";
import { directory, failure, nativeFake, result, runtimeWith, writeTemporary } from "./support.js";

const identity = { package_name: "@rea/test", package_version: "1.2.3", server_path: "/server.js" };

/** The product's own composition, with no engine set. */
function product(env: { readonly [name: string]: string } = {}) {
  return createRuntime({ env: { HOME: directory(), ...env }, identity, log: { level: "silent" }, stateDirectory: directory() });
}

test("a host without Ghidra lists all providers and says of each what to set", async () => {
  const service = product();
  const session = await result(service, "binary_session");
  expect(session.analysis_provider_binding).toBeNull();
  const candidates = session.analysis_provider_candidates.map((candidate: { provider: { id: string }; availability: object; target_support: { status: string } }) => [
    candidate.provider.id,
    candidate.availability,
    candidate.target_support.status,
  ]);
  expect(candidates).toMatchObject([
    ["ghidra", { status: "unavailable", code: "not_configured", reason: expect.stringContaining("GHIDRA_INSTALL_DIR") }, "unknown"],
    ["hopper", { status: expect.stringMatching(/^(?:un)?available$/) }, "unknown"],
    ["rea-native", { status: "available" }, "unknown"],
  ]);
  expect(await service.close()).toEqual({ remaining: [] });
});

test("an engine that is asked for and not there is refused with its code and what to set; auto goes on without it", async () => {
  const service = product();
  const path = process.execPath;
  expect(await failure(service, "open_binary", { path, provider_id: "ghidra" })).toMatchObject({
    code: "provider_unavailable",
    details: {
      selection_reason: "provider_unavailable",
      requested_provider_id: "ghidra",
      candidate_ids: ["ghidra", "hopper", "rea-native"],
      rejections: [{ provider_id: "ghidra", code: "not_configured" }],
    },
  });
  // Hopper is found where its installer puts it, also without a setting.
  const hopper = (await result(service, "binary_session")).analysis_provider_candidates.find((candidate: { provider: { id: string } }) => candidate.provider.id === "hopper");
  const opened = await result(service, "open_binary", { path, provider_id: "auto" });
  const expected = hopper.availability.status === "available" ? { provider: { id: "hopper" } } : { provider: { id: "rea-native" }, selection_source: "embedded-default" };
  expect(opened.binding).toMatchObject(expected);
  await service.close();
});

test("a runtime home that is not absolute is refused by name and nothing is looked up through it", async () => {
  const service = product({ GHIDRA_INSTALL_DIR: directory(), JAVA_HOME: "./evil" });
  const { code, details } = await failure(service, "open_binary", { path: process.execPath, provider_id: "ghidra" });
  expect([code, details.selection_reason]).toEqual(["provider_unavailable", "provider_unavailable"]);
  await service.close();
});

test("the order in which providers are registered changes no byte of binary_session, closed or open", async () => {
  const providers = () => [
    nativeFake(),
    createFakeProvider({ id: "ghidra", availability: fakeUnavailable }),
    createFakeProvider({ id: "hopper", answers: { list_procedures: () => null } }),
    createFakeProvider({ id: "zz-other", support: fakeUnsupported }),
  ];
  const path = writeTemporary("program", "one");
  const sessionOf = async (registered: ReturnType<typeof providers>) => {
    const service = runtimeWith({ providers: registered });
    const closed = await result(service, "binary_session");
    await result(service, "open_binary", { path });
    const { analysis_run: run, ...open } = await result(service, "binary_session");
    expect(run.process_lineage).toEqual({ status: "not_observed" });
    return JSON.stringify([closed, open]);
  };
  const reference = await sessionOf(providers());
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(providers(), { minLength: 4 }), async (shuffled) => {
      expect(await sessionOf(shuffled)).toBe(reference);
    }),
    { numRuns: 12 },
  );
});
