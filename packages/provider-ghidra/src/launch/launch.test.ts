import { describe, expect, test } from "vitest";
import { bridgeFiles } from "./bridge-files.js";
import { headlessArguments } from "./launch-line.js";
import { programDirectories, sessionEnvironment } from "./session-environment.js";
import { isSafeArgument, isSafeQuoted } from "./shell-safe.js";

const directories = { home: "/p/home", tmp: "/p/tmp", config: "/p/config", cache: "/p/cache", data: "/p/data" };

describe("how Ghidra is started", () => {
  test("the project is made, read only and deleted, the analysis bounded", () => {
    const paths = { project: "/p/project", target: "/p/input/target", log: "/p/logs/engine.log", scriptLog: "/p/logs/script.log", scripts: "/p/scripts", descriptor: "/p/session.json" };
    expect(headlessArguments(paths).join(" ")).toBe(
      "/p/project rea -import /p/input/target -readOnly -deleteProject -analysisTimeoutPerFile 300 -max-cpu 2 -log /p/logs/engine.log -scriptlog /p/logs/script.log -scriptPath /p/scripts -postScript ReaBridge.java /p/session.json",
    );
  });

  test("home, temporary and XDG directories are the session's, and nothing else of the caller's is handed on", () => {
    const env = { PATH: "/opt/bin:relative:./here::/usr/bin", HOME: "/home/me", XDG_CONFIG_HOME: "/home/me/.config", JAVA_TOOL_OPTIONS: "-javaagent:evil.jar", _JAVA_OPTIONS: "-Xmx1m", DISPLAY: ":0", SECRET: "s" };
    const made = sessionEnvironment({ env, platform: "linux" }, "/jdk", directories);
    expect(made).toEqual({
      JAVA_HOME: "/jdk",
      GHIDRA_HEADLESS_MAXMEM: "2G",
      JDK_JAVA_OPTIONS: '"-Duser.home=/p/home" "-Djava.io.tmpdir=/p/tmp" "-Dapplication.settingsdir=/p/config" "-Dapplication.cachedir=/p/cache" "-Dapplication.tempdir=/p/tmp"',
      XDG_CONFIG_HOME: "/p/config",
      XDG_CACHE_HOME: "/p/cache",
      XDG_DATA_HOME: "/p/data",
      XDG_STATE_HOME: "/p/data",
      XDG_RUNTIME_DIR: "/p/tmp",
      PATH: "/jdk/bin:/opt/bin:/usr/bin:/bin:/usr/sbin:/sbin",
      HOME: "/p/home",
      TMPDIR: "/p/tmp",
      LC_ALL: "C.UTF-8",
    });
    expect(sessionEnvironment({ env, platform: "darwin" }, "/jdk", directories)["LC_ALL"]).toBe("en_US.UTF-8");
  });

  test("on Windows its profile and temporary directories are, and the system's programs only", () => {
    const made = sessionEnvironment({ env: { SystemRoot: "D:\\Windows", Path: "C:\\evil" }, platform: "win32" }, "C:\\jdk", directories);
    expect(made).toMatchObject({ PATH: "C:\\jdk\\bin;D:\\Windows\\System32;D:\\Windows", USERPROFILE: "/p/home", APPDATA: "/p/config", LOCALAPPDATA: "/p/cache", TEMP: "/p/tmp", TMP: "/p/tmp" });
    expect(made).not.toHaveProperty("HOME");
  });

  test("programs are looked for in absolute directories only", () => {
    expect(programDirectories(undefined)).toEqual(["/usr/bin", "/bin", "/usr/sbin", "/sbin"]);
    expect(programDirectories("/usr/local/bin:.:bin")).toEqual(["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]);
  });

  test("what a shell would read as more than a path is no argument", () => {
    for (const path of ["/tmp/rea-engine-Ab12", "/var/folders/zz/zy_x0/T/rea-engine-1", "/tmp/größer 引擎/@a+b=c,d:e%f"]) expect(isSafeArgument(path), path).toBe(true);
    for (const character of ['"', "$", "`", "\\", "!", ";", "&", "|", "<", ">", "(", ")", "'", "*", "?", "[", "]", "{", "}", "#", "~", "^", "\n", "\0"]) {
      expect(isSafeArgument(`/tmp/a${character}b`), character).toBe(false);
    }
    expect([isSafeQuoted("/opt/ghidra (1)/it's"), isSafeQuoted('/opt/"'), isSafeQuoted("/opt/$HOME")]).toEqual([true, false, false]);
  });

  test("the bridge that the package brings is one script and its classes, all of one package", () => {
    const paths = bridgeFiles().map(({ path }) => path);
    expect(paths).toContain("ReaBridge.java");
    expect(paths.filter((path) => path !== "ReaBridge.java").every((path) => /^reabridge\/[A-Z]\w+\.java$/.test(path))).toBe(true);
    expect(paths.length).toBeGreaterThan(20);
  });
});
