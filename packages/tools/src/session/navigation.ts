import {
  addressInput,
  addressValue,
  documentInput,
  facetSchema,
  ReaError,
  z,
  type CapabilityPorts,
  type OperationName,
} from "@rea/core";
import { defineTool, effectClasses, type ToolContext } from "@rea/tool";
import { compose, type Composition } from "../composed/composition.js";
import { documentName } from "../composed/document-name.js";
import { walkPages } from "../composed/paging.js";
import { deepTarget } from "../targets.js";
import { facetOf } from "../composed/facet.js";

const text = z.string();
const procedure = z.strictObject({ address: addressValue, name: text }).nullable();
const shared = { family: "session", effects: effectClasses.engineEvidence, evidence: true, target: deepTarget, cli: null } as const;

export const getNavigationContext = defineTool({
  ...shared,
  name: "get_navigation_context",
  description:
    "Returns the selected document, the cursor's address and the procedure around it together; procedure is null when the cursor lies in none. Give `document` when the provider has no selected one. Continue with analyze_function or inspect_address_context. Single values: current_document, current_address, current_procedure.",
  input: z.strictObject({ document: documentInput }),
  output: z.strictObject({ document: text, address: addressValue, procedure }),
  requires: ["current_document", "current_address", "resolve_containing_procedure"],
  modes: [
    {
      name: "current_selection",
      operations: ["current_document", "current_address", "resolve_containing_procedure"],
      remediation: "Open the target with a provider that keeps a cursor, or give document.",
    },
    {
      name: "explicit_document",
      operations: ["current_address", "resolve_containing_procedure"],
      remediation: "Open the target with a provider that keeps a cursor.",
    },
  ],
  examples: [{ title: "Where the analysis stands", target: "executable", input: {} }],
  run: async (input, ports, context) => {
    const composition = compose("get_navigation_context", context);
    const document = input.document ?? (await selectedDocument(composition, ports, context));
    const within = { document: input.document };
    const address = await composition.ask(() => ports.current_address(within, context));
    const found = await composition.ask(() => ports.resolve_containing_procedure({ address, ...within }, context));
    const produced = composition.produced({ keep: ["document"], locations: [{ kind: "address", address }] });
    return { result: { document, address, procedure: found.procedure }, produced };
  },
});

async function selectedDocument(
  composition: Composition,
  ports: Pick<CapabilityPorts, "current_document">,
  context: ToolContext,
): Promise<string> {
  if (context.offers("current_document")) return composition.ask(() => ports.current_document({}, context));
  throw new ReaError("invalid_request", {
    message: "The bound provider has no selected document. Give document; list_documents names them.",
    details: {
      operation: "get_navigation_context",
      issues: [{ path: "document", reason: "missing_argument", expected: "string" }],
    },
  });
}

export const inspectAddressContext = defineTool({
  ...shared,
  name: "inspect_address_context",
  description:
    "Returns what is known at one address: name, procedure around it, comment, inline comment and bookmarks, each available or unavailable with the reason. Use it on an address from any result; continue with inspect_native_instruction for the code, xrefs for its users.",
  input: z.strictObject({ address: addressInput.describe("Virtual address, 0x…"), document: documentInput }),
  output: z.strictObject({
    address: addressValue,
    document: text.nullable(),
    name: facetSchema(text.nullable()),
    procedure: facetSchema(procedure),
    comment: facetSchema(text.nullable()),
    inline_comment: facetSchema(text.nullable()),
    bookmarks: facetSchema(z.array(z.strictObject({ address: addressValue, name: text.nullable() }))),
  }),
  requires: [
    "address_name",
    "comment",
    "current_document",
    "inline_comment",
    "list_bookmarks",
    "list_documents",
    "resolve_containing_procedure",
  ],
  modes: [
    {
      name: "facets",
      operations: ["address_name", "resolve_containing_procedure"],
      remediation: "Open the target with a provider that names addresses and procedures.",
    },
  ],
  examples: [{ title: "What is at an address", target: "executable", input: { address: "0x1000" } }],
  run: async (input, ports, context) => {
    const composition = compose("inspect_address_context", context);
    const { address } = input;
    const at = { address, document: input.document };
    const facet = <T>(operation: OperationName, read: () => Promise<T>) => facetOf(composition, context, operation, read);
    const result = {
      address,
      document: input.document ?? (await documentName(composition, ports, context)),
      name: await facet("address_name", () => composition.ask(() => ports.address_name(at, context))),
      procedure: await facet("resolve_containing_procedure", async () => {
        const found = await composition.ask(() => ports.resolve_containing_procedure(at, context));
        return found.procedure;
      }),
      comment: await facet("comment", () => composition.ask(() => ports.comment(at, context))),
      inline_comment: await facet("inline_comment", () => composition.ask(() => ports.inline_comment(at, context))),
      bookmarks: await facet("list_bookmarks", () => bookmarksAt(composition, ports, { context, ...at })),
    };
    const produced = composition.produced({ keep: ["document"], locations: [{ kind: "address", address }] });
    return { result, produced };
  },
});

/** The bookmarks at one address: the whole list is read, since it has no filter. */
async function bookmarksAt(
  composition: Composition,
  ports: Pick<CapabilityPorts, "list_bookmarks">,
  question: { readonly context: ToolContext; readonly address: string; readonly document: string | undefined },
): Promise<Bookmark[]> {
  const { context, address, document } = question;
  const found: Bookmark[] = [];
  await walkPages<Bookmark>(
    "list_bookmarks",
    (offset) => composition.ask(() => ports.list_bookmarks({ offset, limit: 500, document }, context)),
    (page) => found.push(...page.items.filter((item) => item.address === address)),
  );
  return found;
}

interface Bookmark {
  readonly address: string;
  readonly name: string | null;
}
