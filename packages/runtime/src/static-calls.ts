import {
  ReaError,
  toReaError,
  type Execution,
  type OperationContext,
  type OperationName,
  type OperationParams,
  type OperationResult,
  type ProviderIdentity,
  type StaticOperationName,
  type Subject,
} from "@rea/core";
import { checkAnswer, staticOperationNames, type ClientAnswer, type Target } from "@rea/provider";
import { subjectOf } from "./session/open-state.js";
import { targetUnavailable } from "./target/target-errors.js";

/** What an auxiliary provider answers with, before subject and provenance are added. */
export type StaticAnswer<N extends StaticOperationName> = (
  target: Target,
  params: OperationParams<N>,
  context: OperationContext,
) => Promise<StaticReply>;

/**
 * An answer; `undo` takes back what it left on the host when it cannot be delivered, `subject` is what was examined when
 * that is a part of the target.
 */
export type StaticReply = ClientAnswer & Pick<Execution<unknown>, "undo"> & { readonly subject?: Subject };

/** A provider of operations that no deep provider offers; composed by operation. */
export interface AuxiliaryProvider {
  readonly identity: ProviderIdentity;
  readonly answers: { readonly [N in StaticOperationName]?: StaticAnswer<N> };
  /**
   * Operations that read what stands at the path, an application bundle as the directory it is, and answer with the
   * digest of what they read; the others get a target that is hashed and stands for its executable.
   */
  readonly establishes?: readonly StaticOperationName[];
  close(): Promise<void>;
}

/** Who answers which auxiliary operation. */
export interface AuxiliaryRegistry {
  /** Sorted by operation. */
  readonly operations: readonly { readonly operation: StaticOperationName; readonly provider: ProviderIdentity }[];
  /** Whether the operation wants the path as it was given, unread. */
  establishes(operation: OperationName): boolean;
  find<N extends StaticOperationName>(operation: N): { readonly identity: ProviderIdentity; readonly answer: StaticAnswer<N> } | undefined;
  close(): Promise<void>;
}

/** Composes auxiliary providers; an operation that two of them offer is a plain Error at start-up. */
export function composeAuxiliary(providers: readonly AuxiliaryProvider[]): AuxiliaryRegistry {
  const owners = new Map<OperationName, ProviderIdentity>();
  for (const { identity, answers } of providers) {
    for (const operation of staticNames(answers)) {
      const owner = owners.get(operation);
      if (owner !== undefined) throw new Error(`The operation ${operation} is offered by ${owner.id} and by ${identity.id}.`);
      owners.set(operation, identity);
    }
  }
  const offered = providers.flatMap(({ identity, answers }) =>
    staticNames(answers).map((operation) => ({ operation, provider: identity })),
  );
  return {
    operations: offered.sort((a, b) => (a.operation < b.operation ? -1 : 1)),
    establishes: (operation) => providers.some(({ establishes }) => establishes?.some((name) => name === operation) === true),
    find: (operation) => {
      for (const { identity, answers } of providers) {
        const answer = answers[operation];
        if (answer !== undefined) return { identity, answer };
      }
      return undefined;
    },
    close: async () => {
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}

/** Asks the auxiliary provider of an operation about a target and checks what it answers. */
export async function executeStatic<N extends StaticOperationName>(
  registry: AuxiliaryRegistry,
  operation: N,
  { target, params, context }: { readonly target: Target; readonly params: OperationParams<N>; readonly context: OperationContext },
): Promise<Execution<OperationResult<N>>> {
  const found = registry.find(operation);
  if (found === undefined) {
    throw new ReaError("capability_unavailable", {
      message: `No provider of this installation offers ${operation}. Call binary_session for what can be called.`,
      details: { operation },
    });
  }
  const given = await answered(operation, () => found.answer(target, params, context));
  try {
    const answer = checkAnswer(operation, given, found.identity.id);
    return { ...answer, ...extras(given), provider: found.identity, analysis_profile: null, subject: subjectRead(target, given) };
  } catch (error) {
    await given.undo?.();
    throw error;
  }
}

function extras({ wholes, undo }: StaticReply): Pick<Execution<unknown>, "wholes" | "undo"> {
  return { ...(wholes === undefined ? {} : { wholes }), ...(undo === undefined ? {} : { undo }) };
}

/** What was read, which must be what is open when that was asked for. */
function subjectRead(target: Target, { subject, subject_sha256 }: StaticReply): Subject | null {
  if (subject !== undefined) return subject;
  const changed = target.sha256 !== null && typeof subject_sha256 === "string" && subject_sha256 !== target.sha256;
  if (changed) throw targetUnavailable(target.path, "target_changed");
  return subjectOf({ ...target, sha256: target.sha256 ?? subject_sha256 ?? null });
}

async function answered(operation: string, ask: () => Promise<StaticReply>): Promise<StaticReply> {
  try {
    return await ask();
  } catch (error) {
    throw toReaError(error, operation);
  }
}

function staticNames(answers: AuxiliaryProvider["answers"]): StaticOperationName[] {
  return staticOperationNames.filter((name) => answers[name] !== undefined);
}
