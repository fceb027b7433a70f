// Runs a fresh build on a small program and keeps the machine code of what it used. Only speed depends on it: whatever goes
// wrong here is said and otherwise ignored.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { say } from "./say.mjs";

const headerBytes = 120;
const loadedAt = 0x40_0000n;
const codeBytes = 48 * 1024;

/** `build`: the directory of a build, scripts included. */
export function compileCode(build) {
  const work = mkdtempSync(join(tmpdir(), "rea-code-"));
  try {
    const copy = join(work, basename(build));
    cpSync(build, copy, { recursive: true });
    // Dependencies are found as from the build itself.
    symlinkSync(join(dirname(dirname(build)), "node_modules"), join(work, "node_modules"), "junction");
    writeFileSync(join(work, "package.json"), '{"type":"module"}');
    copyFileSync(new URL("./code-loader.mjs", import.meta.url), join(copy, "code-loader.mjs"));
    copyFileSync(new URL("./record-code.mjs", import.meta.url), join(copy, "load.js"));
    const program = join(work, "program");
    writeFileSync(program, sampleProgram());
    const archive = join(work, "archive.tar");
    writeFileSync(archive, sampleArchive());
    for (const args of runsOf(copy, { program, archive })) runNode(args, work);
    publish(join(work, "code", basename(build)), join(dirname(build), "code", basename(build)));
  } catch (error) {
    say(`machine code was not kept, so starts take longer: ${error.message}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** All at once, so that nobody reads half a file. */
function publish(made, place) {
  const temporary = `${place}-${randomUUID()}`;
  cpSync(made, temporary, { recursive: true });
  try {
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another build of the same content got there first.
    if (!existsSync(place)) throw error;
  }
}

/**
 * The command line twice on a program, as the second run reads the analysis that the first one kept, and on an archive; of the
 * server what it defers.
 */
function runsOf(build, { program, archive }) {
  if (!existsSync(join(build, "command-line.js"))) return [["--input-type=module", "-e", `await import(${JSON.stringify(pathToFileURL(join(build, "runtime.js")).href)})`]];
  const command = [join(build, "app.js"), "function", program, `0x${(loadedAt + BigInt(headerBytes)).toString(16)}`, "--json"];
  return [command, command, [join(build, "app.js"), "inspect-artifact", archive, "--json"]];
}

/** With the embedded engine, whatever others this host has: a build starts nothing of the user's. */
function runNode(args, home) {
  const env = { ...process.env, HOME: home, USERPROFILE: home, REA_ANALYSIS_PROVIDER: "rea-native" };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8", timeout: 120_000 });
  if (status !== 0) throw new Error(`the first run failed with status ${status}: ${stderr.slice(0, 500)}`);
}

/** An ELF program of many small functions, each of which calls the next one (ELF gABI: file and program header). */
function sampleProgram() {
  const file = Buffer.alloc(headerBytes + codeBytes, 0x90);
  file.fill(0, 0, headerBytes);
  file.write("\x7fELF\x02\x01\x01", 0, "latin1");
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(62, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(loadedAt + BigInt(headerBytes), 24);
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, 64);
  file.writeUInt32LE(5, 68);
  file.writeBigUInt64LE(loadedAt, 80);
  file.writeBigUInt64LE(loadedAt, 88);
  file.writeBigUInt64LE(BigInt(file.length), 96);
  file.writeBigUInt64LE(BigInt(file.length), 104);
  file.writeBigUInt64LE(0x1000n, 112);
  // test edi, edi; je +2; nop; nop; call the next function; ret
  const body = Buffer.from("85ff740290 90e833000000c3".replace(" ", ""), "hex");
  for (let at = headerBytes; at + 128 < file.length; at += 64) body.copy(file, at);
  file[file.length - 64] = 0xc3;
  return file;
}

/** A tar archive that is large enough for threads: 400 members of 20,000 bytes (POSIX.1-2001, "ustar Interchange Format"). */
export function sampleArchive() {
  const members = Array.from({ length: 400 }, (_, index) => {
    const header = Buffer.alloc(512);
    const fields = [[0, `member-${index}.txt`], [100, "0000644\0"], [108, "0000000\0"], [116, "0000000\0"], [124, (20_000).toString(8).padStart(11, "0")], [136, "00000000000"], [148, "        "], [156, "0"], [257, "ustar\u000000"]];
    for (const [at, text] of fields) header.write(text, at, "latin1");
    header.write(`${header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0")}\0`, 148, "latin1");
    return Buffer.concat([header, Buffer.alloc(20_480, `member ${index}\n`).fill(0, 20_000)]);
  });
  return Buffer.concat([...members, Buffer.alloc(1024)]);
}
