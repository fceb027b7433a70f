import type { EngineSession } from "@rea/lineage";
import type { Target } from "@rea/provider";

export interface BootstrapSession {
  readonly endpoint: EngineSession["endpoint"];
  readonly token: string;
  readonly runId: string;
  readonly target: Pick<Target, "kind" | "path" | "sha256">;
  /** Absolute; holds the bridge's package. */
  readonly bridge: string;
}

/** The script that Hopper runs: what the session is, and the start of the bridge. Holds the token, so it is for our eyes only. */
export function bootstrapScript({ endpoint, token, runId, target, bridge }: BootstrapSession): string {
  const session = {
    transport: endpoint.transport,
    socket: endpoint.path,
    token,
    run_id: runId,
    target: { kind: target.kind, path: target.path, sha256: target.sha256 },
    bridge,
  };
  return `# Written for one session of REA and removed with it.
import json
import sys


def begin():
    session = json.loads(${pythonText(JSON.stringify(session))})
    # Hopper keeps its interpreter; the bridge of an earlier session may be of another version.
    for name in [name for name in sys.modules if name.split(".")[0] == "rea_hopper"]:
        del sys.modules[name]
    wrote = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    sys.path.insert(0, session["bridge"])
    try:
        from rea_hopper.start import start
    finally:
        sys.path.remove(session["bridge"])
        sys.dont_write_bytecode = wrote
    start(Document, session)


begin()
`;
}

/** A Python literal of ASCII only, whatever the text holds: JSON's own escapes make whole characters of the halves again. */
function pythonText(json: string): string {
  const ascii = json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return JSON.stringify(ascii);
}
