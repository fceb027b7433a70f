// Progress of the set-up goes to stderr: stdout belongs to the command that runs afterwards.
export function say(text) {
  process.stderr.write(`rea: ${text}\n`);
}
