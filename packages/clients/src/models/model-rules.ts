/** What a maker of models documents about the tools it takes. Null: nothing is documented. */
export interface ModelRules {
  readonly id: "openai" | "gemini" | "anthropic" | "moonshot";
  readonly label: string;
  /** Where each rule is documented; looked at in December 2026. */
  readonly sources: readonly string[];
  /** Of the name as the model gets it. */
  readonly name: RegExp;
  /** What clients of this maker put before a tool's name. */
  readonly prefix: string;
  readonly maximumTools: number | null;
  readonly maximumDescription: number | null;
  /** Of each input's name. */
  readonly property: RegExp | null;
  /** Nesting of objects and arrays, the root counted. */
  readonly maximumDepth: number | null;
  /** All inputs of one tool together. */
  readonly maximumProperties: number | null;
  readonly maximumEnumValues: number | null;
  /** Keywords that the schema reader knows; others are refused or dropped. */
  readonly keywords: ReadonlySet<string> | null;
  /** Keywords that may not stand at the root. */
  readonly notAtRoot: ReadonlySet<string>;
  /** Every schema names its type, as one word. */
  readonly typeEverywhere: boolean;
  /** Values to choose from are texts. */
  readonly textEnums: boolean;
}

const unions: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "not", "enum"]);

export const modelRules: readonly ModelRules[] = [
  {
    id: "anthropic",
    label: "Anthropic",
    sources: [
      "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use (name, input_schema)",
      "https://docs.anthropic.com/en/api/messages (tools: JSON Schema draft 2020-12, names of properties)",
      "https://docs.anthropic.com/en/docs/claude-code/mcp (names begin with mcp__server__)",
    ],
    name: /^[a-zA-Z0-9_-]{1,64}$/,
    prefix: "mcp__rea__",
    maximumTools: null,
    maximumDescription: null,
    property: /^[a-zA-Z0-9_.-]{1,64}$/,
    maximumDepth: null,
    maximumProperties: null,
    maximumEnumValues: null,
    keywords: null,
    notAtRoot: unions,
    typeEverywhere: false,
    textEnums: false,
  },
  {
    id: "gemini",
    label: "Gemini",
    sources: [
      "https://ai.google.dev/api/caching#FunctionDeclaration (name, parametersJsonSchema)",
      "https://ai.google.dev/api/caching#Schema (keywords, enum of strings)",
      "https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling (number of declarations)",
    ],
    name: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    prefix: "mcp_rea_",
    maximumTools: 128,
    maximumDescription: null,
    property: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    maximumDepth: null,
    maximumProperties: null,
    maximumEnumValues: null,
    keywords: new Set([
      "type", "format", "title", "description", "nullable", "enum", "items", "prefixItems", "minItems", "maxItems", "properties", "required",
      "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "minimum", "maximum", "anyOf", "oneOf", "default", "example",
      "additionalProperties", "propertyOrdering",
    ]),
    notAtRoot: unions,
    typeEverywhere: false,
    textEnums: true,
  },
  {
    id: "moonshot",
    label: "Moonshot",
    sources: [
      "https://platform.moonshot.ai/docs/api/tool-use (name, number of functions, root of type object)",
      "https://github.com/MoonshotAI/walle/blob/main/docs/mfjs-spec.zh.md (a type in every schema, keywords)",
      "https://github.com/MoonshotAI/kimi-code/issues/2661 (no type beside anyOf)",
    ],
    name: /^[a-zA-Z_][a-zA-Z0-9_-]{2,63}$/,
    prefix: "mcp__rea__",
    maximumTools: 128,
    maximumDescription: null,
    property: null,
    maximumDepth: null,
    maximumProperties: null,
    maximumEnumValues: null,
    keywords: new Set([
      "type", "title", "description", "default", "enum", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
      "minLength", "maxLength", "minimum", "maximum", "pattern", "anyOf",
    ]),
    notAtRoot: unions,
    typeEverywhere: true,
    textEnums: false,
  },
  {
    id: "openai",
    label: "OpenAI",
    sources: [
      "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools (name, number of tools)",
      "https://platform.openai.com/docs/guides/structured-outputs#supported-schemas (depth, properties, values to choose from)",
      "https://learn.microsoft.com/en-us/azure/ai-services/openai/quotas-limits (length of a description)",
    ],
    name: /^[a-zA-Z0-9_-]{1,64}$/,
    prefix: "mcp__rea__",
    maximumTools: 128,
    maximumDescription: 1024,
    property: null,
    maximumDepth: 10,
    maximumProperties: 5000,
    maximumEnumValues: 1000,
    keywords: null,
    notAtRoot: unions,
    typeEverywhere: false,
    textEnums: false,
  },
];
