import { omission } from "@rea/core";
import { describe, expect, it } from "vitest";
import { findXrefsToName } from "../src/enhanced/find-xrefs-to-name.js";
import { hostOf, type FakeProgram } from "./fake-ports.js";

const program: FakeProgram = {
  names: [
    { address: "0x10", value: "main" },
    { address: "0x20", value: "helper" },
    { address: "0x30", value: "helper" },
    { address: "0x40", value: "puts", source: "import-stub" },
    { address: "0x900", value: "puts", source: "import-slot" },
    { address: "0x50", value: "evil\\u{202e}name" },
    { address: "0x60", value: "last" },
    { address: "0x60", value: "last", source: "export" },
  ],
  xrefs: { "0x40": ["0x14"], "0x900": ["0x44", "0x14"], "0x60": ["0x12", "0x11"], "0x50": ["0x13"] },
  pageSize: 1,
};

const find = async (name: string, host = hostOf(program)) => findXrefsToName.output.parse(await host.run(findXrefsToName, { name }));

describe("find_xrefs_to_name", () => {
  it("reads the names to the last page before it resolves one", async () => {
    const host = hostOf(program);
    expect(await find("last", host)).toEqual({
      status: "resolved",
      address: "0x60",
      addresses: ["0x60"],
      xrefs: { items: ["0x12"], returned: 1, total: 2, truncated: true, next_offset: 1 },
      coverage: { state: "complete", omissions: [] },
    });
    expect(host.asked.filter((operation) => operation === "list_names")).toHaveLength(8);
  });

  it("joins the references of an import's stubs and slots", async () => {
    const result = await find("puts", hostOf({ ...program, pageSize: 500 }));
    expect(result).toMatchObject({ status: "resolved", address: "0x40", addresses: ["0x40", "0x900"], xrefs: { items: ["0x14", "0x44"] } });
  });

  it("answers unresolved with how many names were read", async () => {
    expect(await find("absent")).toEqual({
      status: "unresolved",
      reason: "name_not_found",
      candidates: [],
      names_examined: 8,
      coverage: { state: "complete", omissions: [] },
    });
  });

  it("says once what the provider has not examined, although nothing was found", async () => {
    const notExamined = [omission("code", "not_examined", { count: 16 })];
    const host = hostOf({ ...program, xrefs: {}, notExamined });
    expect(await find("puts", host)).toMatchObject({ xrefs: { items: [], total: 0 }, coverage: { state: "partial", omissions: notExamined } });
  });

  it("never takes the first of several bearers of a name", async () => {
    expect(await find("helper")).toMatchObject({ status: "unresolved", reason: "ambiguous_name", candidates: ["0x20", "0x30"] });
  });

  it.each(["evil\u202ename", "evil\\u{202e}name"])("finds %j, the name itself and the form it is shown in", async (name) => {
    expect(await find(name)).toMatchObject({ status: "resolved", address: "0x50" });
  });
});
