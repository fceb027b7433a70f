import { clientFigures } from "./client-figures.js";
import { realClients } from "./real-clients.js";

/** `figures`, `real`, or both when neither is named. */
export async function runClientsBench(part: string | undefined): Promise<void> {
  if (part !== "real") console.log(await clientFigures());
  if (part === "figures") return;
  const { transcript, passed } = realClients();
  console.log(transcript);
  if (!passed) process.exitCode = 1;
}
