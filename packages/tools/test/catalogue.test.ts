import { compareCodePoints } from "@rea/core";
import { catalogueViolations, toCatalogue, toCommandLine, toMarkdown } from "@rea/tool";
import { describe, expect, it } from "vitest";
import { tools } from "../src/index.js";

const catalogue = toCatalogue(tools);

/** Contract 02 §3: read-only, destructive, idempotent, open world, by class. */
const classes = {
  pure: { hints: [true, false, true, false], names: "binary_session get_evidence_bundle get_job list_unknowns read_retained run_replay_machine verify_unknown_resolution" },
  evidence: { hints: [false, false, true, false], names: "analyze_javascript_application build_call_path compare_application_versions compare_artifacts compare_bundles compare_functions compare_javascript_export_shapes compare_source_to_bundle reconcile_javascript_runtime trace_application_feature trace_javascript_semantics correlate_static_and_runtime find_changed_behavior verify_reconstruction compare_process_captures decode_interface_builder inspect_asset_catalog inspect_binary inspect_keyed_archive inspect_macho inspect_plist inspect_signature list_architectures" },
  "engine-backed evidence": {
    hints: [false, false, true, true],
    names:
      "address_name address_to_file_offset compare_binaries compare_providers analyze_function batch_decompile inspect_native_api analyze_swift_types binary_overview comment current_address current_document current_procedure demangle_swift " +
      "find_code_for_string find_xrefs_to_name get_call_graph get_navigation_context get_objc_classes get_objc_protocols inline_comment inspect_address_context " +
      "inspect_native_data_type inspect_native_dispatch_metadata inspect_native_instruction list_bookmarks list_documents list_names list_procedures list_segments list_strings next_address " +
      "prev_address procedure_address procedure_assembly procedure_callees procedure_callers procedure_info procedure_pseudo_code procedure_references " +
      "read_bytes read_function_instructions resolve_containing_procedure resolve_native_call_targets search_bytes search_procedures search_strings " +
      "trace_call_path trace_feature trace_native_ui_action trace_native_values xrefs",
  },
  "registry writes": { hints: [false, false, false, false], names: "record_unknown update_unknown" },
  "annotation writes": {
    hints: [false, false, true, true],
    names: "set_address_name set_addresses_names set_bookmark set_comment set_inline_comment",
  },
  removal: { hints: [false, true, true, true], names: "unset_bookmark" },
  UI: { hints: [false, false, true, true], names: "goto_address set_current_document" },
  "artifact inspection": { hints: [false, false, true, true], names: "inspect_artifact" },
  extraction: { hints: [false, false, false, true], names: "extract_artifact" },
  open: { hints: [false, false, true, false], names: "open_binary" },
  "browser and inspector observation": {
    hints: [false, false, true, true],
    names:
      "analyze_web_bundle capture_web_screenshot inspect_electron_page inspect_web_page list_browser_targets list_electron_targets list_javascript_runtime_targets observe_javascript_runtime observe_web_session",
  },
  "process scenario": { hints: [false, true, false, true], names: "capture_process_scenario" },
  "active scenarios": { hints: [false, true, false, true], names: "capture_browser_scenario capture_electron_scenario" },
  "local web comparison": { hints: [false, false, true, false], names: "compare_web_captures compare_web_screenshots" },
  close: { hints: [false, true, false, false], names: "close_binary" },
  "bundle export": { hints: [false, true, true, false], names: "export_evidence_bundle" },
  "any tool": { hints: [false, true, false, true], names: "start_job" },
  "job end": { hints: [false, false, true, false], names: "cancel_job" },
  "bundle import": { hints: [false, false, true, false], names: "import_evidence_bundle" },
};

describe("the catalogue", () => {
  it("keeps the schema discipline in every tool", () => {
    expect(catalogueViolations(catalogue)).toEqual([]);
  });

  it("stays near 1.2 KiB a tool on average", () => {
    const bytes = Buffer.byteLength(JSON.stringify({ tools: catalogue }));
    expect(bytes / catalogue.length).toBeLessThan(1380);
  });

  it("stands sorted in its source, so that two additions never collide in meaning", () => {
    const names = tools.map(({ name }) => name);
    expect(names).toEqual([...names].sort(compareCodePoints));
  });

  it.each(Object.entries(classes))("gives %s tools the hints of their class", (_class, { hints, names }) => {
    for (const name of names.split(" ")) {
      const annotations = catalogue.find((entry) => entry.name === name)?.annotations;
      expect(
        [annotations?.readOnlyHint, annotations?.destructiveHint, annotations?.idempotentHint, annotations?.openWorldHint],
        name,
      ).toEqual(hints);
    }
  });

  it("has a class for every tool and a tool for every class entry", () => {
    const classed = Object.values(classes).flatMap(({ names }) => names.split(" "));
    expect(classed.sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  it("describes every input field, at every level", () => {
    const bare = catalogue.flatMap((entry) =>
      Object.entries(entry.inputSchema.properties ?? {})
        .filter(([, property]) => property.description === undefined)
        .map(([field]) => `${entry.name}.${field}`),
    );
    expect(bare).toEqual([]);
  });

  it("names only tools and fields that exist in its descriptions", () => {
    const fields =
      "ambiguous_name collection_offset evidence_id job_id wait_ms not_found record_pairs strings_names recommended_probes expected_revision truth_verified include_assembly instruction_scan_truncated max_instructions next_offset not_reached relative_path residual_unknowns snapshot_path trace_spec";
    const known = new Set([...tools.map(({ name }) => name), ...fields.split(" ")]);
    const words = tools.flatMap(({ description }) => description.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
    expect([...new Set(words)].filter((word) => !known.has(word))).toEqual([]);
  });

  it("asks only for operations and ports that are in the core", () => {
    for (const tool of tools) expect(tool.requires.length, tool.name).toBeGreaterThan(0);
  });
});

describe("the examples", () => {
  it.each(tools.flatMap((tool) => tool.examples.map((example) => [tool, example] as const)))(
    "of $name parse",
    (tool, example) => {
      expect(tool.input.safeParse(example.input)).toMatchObject({ success: true });
    },
  );

  it("are refused with one more key", () => {
    for (const tool of tools) {
      expect(tool.input.safeParse({ ...tool.examples[0].input, unexpected: 1 }).success, tool.name).toBe(false);
    }
  });
});

describe("the command lines", () => {
  it("have one command each, as the contract names them", () => {
    const commands = tools.filter(({ cli }) => cli !== null).map((tool) => toCommandLine(tool).command);
    expect(commands.sort()).toEqual([
      "analyze-javascript-application",
      "analyze-swift-types",
      "analyze-web-bundle",
      "batch-decompile",
      "binary-overview",
      "call-graph",
      "capture-web-screenshot",
      "compare-providers",
      "decode-interface-builder",
      "demangle-swift",
      "evidence-export",
      "evidence-import",
      "extract-artifact",
      "find-code-for-string",
      "find-xrefs-to-name",
      "function",
      "get-objc-classes",
      "get-objc-protocols",
      "inspect-artifact",
      "inspect-asset-catalog",
      "inspect-binary",
      "inspect-electron-page",
      "inspect-keyed-archive",
      "inspect-macho",
      "inspect-native-api",
      "inspect-native-data-type",
      "inspect-native-dispatch-metadata",
      "inspect-plist",
      "inspect-signature",
      "inspect-web-page",
      "instructions",
      "list-architectures",
      "list-browser-targets",
      "list-electron-targets",
      "list-javascript-runtime-targets",
      "observe-javascript-runtime",
      "observe-web-session",
      "search-bytes",
      "trace",
      "trace-call-path",
      "trace-native-ui-action",
      "trace-native-values",
      "xrefs",
    ]);
  });

  it("have positionals that are required inputs", () => {
    for (const tool of tools) {
      for (const positional of toCommandLine(tool).positionals) expect(positional.required, tool.name).toBe(true);
    }
  });

  it("fit the reference", () => {
    expect(toMarkdown(tools)).toContain("- Command: `rea function PATH PROCEDURE`");
  });
});
