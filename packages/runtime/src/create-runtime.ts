import { tmpdir } from "node:os";
import {
  compareCodePoints,
  isDeepOperation,
  type CapabilityPorts,
  type OperationContext,
} from "@rea/core";
import { createProviderRegistry, operationPorts, type CloseOutcome, type DeepCall, type StaticCall } from "@rea/provider";
import type { ConnectionInfo, ToolHost, ToolService } from "@rea/tool";
import { tools as allTools } from "@rea/tools";
import { analysisCacheSettings } from "./analysis-cache.js";
import { parseConfiguration } from "./configuration.js";
import { continuousProgress } from "./continuous-progress.js";
import { catalogueDigests } from "./description/catalogue-digests.js";
import { describeSession } from "./description/describe-session.js";
import { requireAvailable, type SessionView } from "./description/tool-availability.js";
import { appleDocumentProviders } from "./apple-documents/documents-provider.js";
import { artifactProvider } from "./artifact-provider.js";
import { createArtifactsPort } from "./artifacts-port.js";
import { nativeProvider, staticProvider } from "./embedded-providers.js";
import { createExternalProviders, type ExternalProviders } from "./external-providers.js";
import { homeOf } from "./home.js";
import { createHostPrograms, type HostPrograms } from "./host/host-programs.js";
import { createCapturesPort } from "./captures-port.js";
import { createBinariesPort } from "./binaries-port.js";
import { createBundlesPort } from "./ledger/bundles-port.js";
import { createEvidencePort } from "./ledger/evidence-port.js";
import { createLedgerPort } from "./ledger/ledger-port.js";
import { LedgerStore, standardLimits, standardMemoryBytes, type LedgerOptions } from "./ledger/ledger-store.js";
import { createJobs, type Jobs } from "./jobs/jobs.js";
import { keepAnomalies } from "./kept-anomalies.js";
import { createLogger } from "./logger.js";
import { createProcesses, type Processes } from "./processes-port.js";
import { createApplicationGraphsPort, NamedApplications } from "./javascript-graphs-port.js";
import { createApplicationsPort, factCacheSettings, javascriptProvider } from "./javascript-provider.js";
import { createProvidersPort } from "./providers/providers-port.js";
import { createApplicationTracesPort } from "./javascript-traces.js";
import { createApplicationWorkflowsPort } from "./javascript-workflows.js";
import { createReplayPort } from "./replay-port.js";
import type { RuntimeOptions } from "./runtime-options.js";
import { createUnknownsPort } from "./unknowns-port.js";
import { createDeepCalls } from "./session/deep-calls.js";
import { createSession, type Session } from "./session/session.js";
import { createSessionFiles } from "./session-files.js";
import { createWebComparisonsPort } from "./web-comparisons-port.js";
import { createWeb, type Web } from "./web/web.js";
import { createWebScenarios, type WebScenarios } from "./web/web-scenarios.js";
import { stateDirectory, type StateDirectory } from "./state-directory.js";
import { composeAuxiliary, executeStatic, type AuxiliaryRegistry } from "./static-calls.js";
import { createStaticTargets } from "./target/static-targets.js";
import { detectTarget } from "./target/detect-target.js";

/**
 * Puts a session together: configuration, logger, providers, target, Evidence ledger, and the tools that use them. Starts
 * no engine and opens nothing; one runtime serves one client connection and shares no state with another.
 *
 * A composition that contradicts itself (an id or operation registered twice) is a plain Error; an invalid setting of the
 * environment is `configuration_invalid` at the operation that needs it.
 */
export function createRuntime(options: RuntimeOptions): ToolService {
  const configuration = parseConfiguration(options.env);
  const log = createLogger(configuration, {
    defaultLevel: options.log?.level ?? "info",
    destination: options.log?.destination ?? process.stderr,
  });
  const state = stateDirectory({ directory: options.stateDirectory, home: options.home ?? homeOf(options.env) });
  let connection: ConnectionInfo | null = null;
  const author = () => connection?.client ?? { name: options.identity.package_name, version: options.identity.package_version };
  const cache = analysisCacheSettings({ directory: options.cacheDirectory, home: options.home ?? homeOf(options.env) }, options.engineBuild);
  const external = createExternalProviders(options.env);
  const registry = createProviderRegistry(options.providers ?? [nativeProvider({ stateDirectory: state.path, cache, log, author }), ...external.providers]);
  const anomalies = keepAnomalies();
  const factCache = factCacheSettings(options.home ?? homeOf(options.env), options.engineBuild);
  const named = new NamedApplications();
  const auxiliary = composeAuxiliary(options.auxiliary ?? [staticProvider(), artifactProvider(anomalies), ...appleDocumentProviders(), javascriptProvider(factCache, named)]);
  const ledgerOptions = ledgerOptionsOf(options);
  const ledger = new LedgerStore(ledgerOptions);
  const detect = options.detect ?? detectTarget;
  const session = createSession({ registry, configuration, detect, ledger, ledgerOptions, log });
  const tools = [...(options.tools ?? allTools)].sort((a, b) => compareCodePoints(a.name, b.name));
  const digests = lazily(() => catalogueDigests({ tools, catalogue: options.catalogue, registry, auxiliary }));
  const hostPrograms = createHostPrograms(options.env);
  const processes = createProcesses({ env: options.env, version: options.identity.package_version, detect });
  const files = createSessionFiles();
  const web = createWeb({ files, env: options.env });
  const webScenarios = createWebScenarios({ env: options.env, files, ledger, product: { name: "REA", version: options.identity.package_version } });
  const view = sessionView(session, auxiliary, hostPrograms);
  const limitations = state.limitation === null ? [] : [state.limitation];
  const { identity } = options;

  const jobs = createJobs({ tools, host: () => host });
  const ports: CapabilityPorts = {
    ...operationPorts(operationCalls({ session, auxiliary, targets: createStaticTargets(() => session.state(), detect) })),
    ledger: createLedgerPort(ledger, ledgerOptions),
    evidence: createEvidencePort(ledger),
    bundles: createBundlesPort(ledgerOptions),
    binaries: createBinariesPort({ registry, auxiliary, detect }),
    providers: createProvidersPort({ registry, detect, state: () => session.state() }),
    unknowns: createUnknownsPort(ledger, () => session.state()?.subject ?? null),
    artifacts: createArtifactsPort({ ledger, anomalies, product: { name: "REA", version: identity.package_version } }),
    processes: processes.port,
    replay: createReplayPort(),
    captures: createCapturesPort(ledger),
    jobs: jobs.port,
    webComparisons: createWebComparisonsPort(files, ledger),
    web: web.port,
    webScenarios: webScenarios.port,
    hostPrograms: hostPrograms.port,
    applications: createApplicationsPort(),
    applicationTraces: createApplicationTracesPort(),
    applicationWorkflows: createApplicationWorkflowsPort({ ledger, env: options.env }),
    applicationGraphs: createApplicationGraphsPort({ ledger, named, cache: factCache, openPath: () => session.state()?.resolved.target.bundle_root ?? session.state()?.resolved.target.path ?? null }),
    session: {
      describe: (expectations) =>
        describeSession({ identity, digests: digests(), tools, registry, auxiliary, ledger, limitations }, view, {
          expectations,
          connection,
        }),
      open: (input, context) => session.open(input, context),
      close: (input, context) => session.close(input, context),
    },
  };
  const host: ToolHost = {
    ports,
    offers: (operation) => view.offers(operation),
    requireAvailable: (tool) => requireAvailable(tool, view),
    // Transitions order themselves; counted as calls they would wait for themselves. A job is a call of its own.
    admit: (tool, work) => (tool.requires.includes("session") || tool.requires.includes("jobs") ? work() : session.admission.admit(work)),
    record: (evidence, wholes, unknownRevision) => {
      for (const whole of wholes) ledger.retain(whole);
      ledger.add(evidence, unknownRevision);
      return Promise.resolve();
    },
    connected: (info) => {
      connection = info;
    },
  };
  return { tools, host, close: onceUnlessRemaining(() => shutDown({ session, external, jobs, auxiliary, state, hostPrograms, processes, web, webScenarios })) };
}

interface Dispatch {
  readonly session: Session;
  readonly auxiliary: AuxiliaryRegistry;
  readonly targets: ReturnType<typeof createStaticTargets>;
}

function operationCalls({ session, auxiliary, targets }: Dispatch): { readonly deep: DeepCall; readonly auxiliary: StaticCall } {
  const deep = createDeepCalls(() => session.state());
  return {
    deep: (operation, params, context) => deep(operation, params, continuous(context)),
    auxiliary: async (operation, params, context) => {
      const asGiven = auxiliary.establishes(operation);
      const target = await targets.resolve({ operation, params, asGiven }, continuous(context));
      return executeStatic(auxiliary, operation, { target, params, context: continuous(context) });
    },
  };
}

function continuous({ signal, progress }: OperationContext): OperationContext {
  return { signal, progress: continuousProgress(progress) };
}

function sessionView(session: Session, auxiliary: AuxiliaryRegistry, hostPrograms: HostPrograms): SessionView {
  return {
    missingOnHost: (feature) => hostPrograms.missing(feature),
    get open() {
      return session.state();
    },
    offers: (operation) => {
      if (!isDeepOperation(operation)) return auxiliary.operations.some((offered) => offered.operation === operation);
      const capabilities = session.state()?.bound?.provider.capabilities() ?? [];
      return capabilities.some((capability) => capability.operation === operation && capability.available);
    },
  };
}

function ledgerOptionsOf({ ledger }: RuntimeOptions): LedgerOptions {
  return {
    limits: ledger?.limits ?? standardLimits,
    memoryBytes: ledger?.memoryBytes ?? standardMemoryBytes,
    directory: ledger?.directory ?? tmpdir(),
  };
}

interface Owned {
  readonly session: Session;
  readonly external: ExternalProviders;
  readonly jobs: Jobs;
  readonly auxiliary: AuxiliaryRegistry;
  readonly state: StateDirectory;
  readonly hostPrograms: HostPrograms;
  readonly processes: Processes;
  readonly web: Web;
  readonly webScenarios: WebScenarios;
}

async function shutDown({ session, external, jobs, auxiliary, state, hostPrograms, processes, web, webScenarios }: Owned): Promise<CloseOutcome> {
  // Both at once: what a job waits for may end with the session only.
  const [remaining] = await Promise.all([session.shutdown(), jobs.close()]);
  const engines = await external.close();
  const programs = await hostPrograms.close();
  const observed = await processes.close();
  await auxiliary.close();
  const observation = await web.close();
  const browsers = await webScenarios.close();
  state.release();
  return { remaining: [...remaining, ...engines.remaining, ...programs.remaining, ...observed.remaining, ...observation.remaining, ...browsers.remaining] };
}

function onceUnlessRemaining(close: () => Promise<CloseOutcome>): () => Promise<CloseOutcome> {
  let closing: Promise<CloseOutcome> | null = null;
  return () => {
    closing ??= close().then((outcome) => {
      if (outcome.remaining.length > 0) closing = null;
      return outcome;
    });
    return closing;
  };
}

function lazily<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | null = null;
  return () => (computed ??= { value: compute() }).value;
}
