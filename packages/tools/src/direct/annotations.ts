import { operations } from "@rea/core";
import { effectClasses } from "@rea/tool";
import { directTool } from "./direct-tool.js";

const address = "0x1000";
const effects = effectClasses.annotationWrite;

export const setAddressName = directTool({
  name: "set_address_name",
  description:
    "Names an address. The name shows in later results and sessions on the same bytes, marked as an annotation; the target file stays as it is. Use set_addresses_names for many.",
  operation: operations.set_address_name,
  effects,
  examples: [{ title: "Name an address", target: "executable", input: { address, name: "parse_header" } }],
  call: (ports, input, context) => ports.set_address_name(input, context),
});

export const setAddressesNames = directTool({
  name: "set_addresses_names",
  description:
    "Names up to 500 addresses in one call and returns for each whether it was done and why not. One failure does not stop the rest. Names show in later results, marked as annotations.",
  operation: operations.set_addresses_names,
  effects,
  examples: [
    {
      title: "Name two addresses",
      target: "executable",
      input: {
        names: [
          { address, name: "parse_header" },
          { address: "0x1010", name: "parse_body" },
        ],
      },
    },
  ],
  call: (ports, input, context) => ports.set_addresses_names(input, context),
});

export const setComment = directTool({
  name: "set_comment",
  description:
    "Sets the comment above an address; it replaces the one shown so far. Kept outside the target file, for later sessions on the same bytes. An empty comment shows as none.",
  operation: operations.set_comment,
  effects,
  examples: [{ title: "Write a comment", target: "executable", input: { address, comment: "Reads the header." } }],
  call: (ports, input, context) => ports.set_comment(input, context),
});

export const setInlineComment = directTool({
  name: "set_inline_comment",
  description:
    "Sets the comment beside the instruction at an address; it replaces the one shown so far. Kept outside the target file, for later sessions on the same bytes.",
  operation: operations.set_inline_comment,
  effects,
  examples: [{ title: "Write an inline comment", target: "executable", input: { address, comment: "length check" } }],
  call: (ports, input, context) => ports.set_inline_comment(input, context),
});

export const setBookmark = directTool({
  name: "set_bookmark",
  description:
    "Bookmarks an address, with an optional name, for list_bookmarks in this and later sessions on the same bytes. Remove it with unset_bookmark.",
  operation: operations.set_bookmark,
  effects,
  examples: [{ title: "Set a bookmark", target: "executable", input: { address, name: "look here" } }],
  call: (ports, input, context) => ports.set_bookmark(input, context),
});

export const unsetBookmark = directTool({
  name: "unset_bookmark",
  description:
    "Removes the bookmark at an address and returns whether there was one. See list_bookmarks for what is set.",
  operation: operations.unset_bookmark,
  effects: effectClasses.annotationRemoval,
  examples: [{ title: "Remove a bookmark", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.unset_bookmark(input, context),
});
