export { runReplayMachine } from "./replay/run-replay-machine.js";
