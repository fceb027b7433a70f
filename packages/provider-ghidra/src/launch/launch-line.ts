import { analysisTimeoutSeconds } from "../ghidra-profile.js";

/** Paths of one private session; all absolute. */
export interface SessionPaths {
  readonly project: string;
  /** The copy of the target. */
  readonly target: string;
  readonly log: string;
  readonly scriptLog: string;
  readonly scripts: string;
  readonly descriptor: string;
}

const bridgeScript = "ReaBridge.java";
const projectName = "rea";
const processors = 2;

/** Arguments of the headless analyser: a project that is made, used read-only and deleted. */
export function headlessArguments({ project, target, log, scriptLog, scripts, descriptor }: SessionPaths): readonly string[] {
  return [
    project,
    projectName,
    "-import",
    target,
    "-readOnly",
    "-deleteProject",
    "-analysisTimeoutPerFile",
    String(analysisTimeoutSeconds),
    "-max-cpu",
    String(processors),
    "-log",
    log,
    "-scriptlog",
    scriptLog,
    "-scriptPath",
    scripts,
    "-postScript",
    bridgeScript,
    descriptor,
  ];
}
