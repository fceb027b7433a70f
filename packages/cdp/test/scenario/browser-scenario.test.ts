import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserScenarioCaptureSchema, browserScenarioSchema, silentProgress, type BrowserScenarioCapture, type ScenarioStep } from "@rea/core";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareWebCaptures } from "../../src/compare/compare-web-captures.js";
import { launchBrowser } from "../../src/browsers/launch-browser.js";
import { runBrowserScenario } from "../../src/scenario/run-browser-scenario.js";
import { scenarioMethods } from "../../src/scenario/scenario-methods.js";
import { summarizeScenario } from "../../src/scenario/summarize-scenario.js";
import { installedBrowser, sandbox } from "../browsers/installed-browser.js";
import { processesUsing } from "../browsers/processes-using.js";
import { recordingEndpoint } from "../observation/recording-endpoint.js";
import { startSite, type TestSite } from "./test-site.js";

const secret = "hunter2 & <co>";
const form = (other: string): string => `<!doctype html><meta charset=utf-8><title>Form</title>
<h1>Sign in</h1>
<form action="/welcome"><label>User <input name=user></label><label>Password <input name=pw type=password data-testid=pw></label>
<label>Note <textarea name=note></textarea></label><select name=lang id=lang><option value=de>Deutsch</option><option value=en>English</option></select>
<label><input type=checkbox name=agree> I agree</label><input type=range id=amount min=0 max=10 value=1>
<button>Sign in</button></form>
<button id=late disabled>Late</button><button id=covered style="position:absolute;left:400px;top:10px">Covered</button>
<div style="position:absolute;left:380px;top:0;width:200px;height:60px;background:#fff" id=cover></div>
<p class=item>a</p><p class=item>b</p><button onclick="alert('hello');document.title='answered'">Ask</button>
<a href="${other}/away">Away</a><button onclick="window.open('/popup')">Open</button><a href="/file" download>Get file</a>
<my-box></my-box>
<script>
  setTimeout(() => (document.querySelector('#late').disabled = false), 300);
  customElements.define('my-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button>In shadow</button>'; } });
  document.querySelector('#late').onclick = () => (document.title = 'late clicked');
  for (const field of document.querySelectorAll('input,textarea')) field.addEventListener('input', () => console.log('typed', field.name));
  fetch('${other}/spy').catch(() => console.log('spy blocked'));
  new Image().src = '${other}/pixel.png';
  localStorage.visits = Number(localStorage.visits || 0) + 1;
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
  socket.onmessage = (message) => console.log('socket', message.data);
  new WebSocket('ws://localhost:' + location.port + '/elsewhere');
  new Worker(URL.createObjectURL(new Blob(['fetch("${other}/from-worker").catch(() => 0)'])));
  navigator.serviceWorker && navigator.serviceWorker.register('/sw.js').then(() => console.log('registered'), () => console.log('no service worker'));
</script>`;

describe.skipIf(installedBrowser === undefined)("a browser scenario in a real browser (skipped without a browser)", () => {
  let launcher: ProcessLauncher;
  let site: TestSite;
  let parent = "";
  const environment = { ...process.env, TEST_SECRET: secret };
  beforeAll(async () => {
    launcher = createLauncher();
    parent = mkdtempSync(join(tmpdir(), "rea-test-scenario-"));
    site = await startSite(({ other }) => ({
      "/": form(other),
      "/welcome": (request, response) => response.writeHead(200, { "content-type": "text/html", "set-cookie": "sid=classified; Path=/" }).end(`<!doctype html><title>Welcome</title><h1>Welcome</h1><p>${String(request.url)}</p>`),
      "/redirect": (_, response) => response.writeHead(302, { location: "/two" }).end(),
      "/leave": (_, response) => response.writeHead(302, { location: `${other}/landed` }).end(),
      "/two": "<!doctype html><title>Two</title><p id=zone></p><script>zone.textContent=[Intl.DateTimeFormat().resolvedOptions().timeZone,navigator.language,innerWidth,devicePixelRatio,matchMedia('(prefers-color-scheme: dark)').matches,matchMedia('(prefers-reduced-motion: reduce)').matches,document.cookie,localStorage.seed].join(' ')</script>",
      "/hang": () => undefined,
      "/many": `<!doctype html><title>Many</title>${"<i>x</i>".repeat(500)}`,
      "/sw.js": "",
      "/popup": "<title>Popup</title>",
      "/api": "from the server",
      "/killed": "<!doctype html><title>Killed</title>",
      "/crash": "<!doctype html><title>Crash</title><p>gone soon</p>",
      "/file": (_, response) => response.writeHead(200, { "content-disposition": "attachment; filename=report.txt" }).end("x"),
    }));
  });
  afterAll(async () => {
    await site.close();
    expect(await launcher.close()).toEqual({ remaining: [] });
    rmSync(parent, { recursive: true, force: true });
  });

  const saved = new Map<string, Uint8Array>();
  function run(actions: readonly object[], more: object = {}, signal = new AbortController().signal): Promise<BrowserScenarioCapture> {
    const scenario = browserScenarioSchema.parse({
      browser: { mode: "launch", executable_path: installedBrowser, sandbox },
      actions: actions.map((action, index) => ({ step_id: `s${String(index)}`, ...action })),
      ...more,
    });
    const save = (image: Uint8Array, sha256: string): Promise<string> => {
      saved.set(sha256, image);
      return Promise.resolve(`/pictures/${sha256}.png`);
    };
    return runBrowserScenario({ scenario, host: { launcher, environment }, save, signal, progress: silentProgress });
  }
  const everything = { after_each_step: ["url", "dom", "accessibility", "storage", "history"], at_end: ["screenshot"], events: ["console", "page_errors", "network", "websockets", "frames", "workers", "popups", "downloads"], limits: { step_ms: 30_000, total_ms: 120_000 } };
  const patient = { capture: { limits: { step_ms: 30_000, total_ms: 120_000 } } };
  const told = ({ steps }: BrowserScenarioCapture): unknown[] => steps.slice(1).map(({ outcome, failure, matches }) => (failure === null ? outcome : [failure, matches]));
  const texts = (capture: BrowserScenarioCapture): string[] => capture.events.flatMap((event) => (event.kind === "console" ? [event.text] : []));

  it("does what its actions say, records each step, and lets nothing out to other origins", async () => {
    const capture = await run(
      [
        { type: "goto", url: `${site.origin}/` },
        { type: "fill", css: "input[name=user]", value: "ada" },
        { type: "fill", test_id: "pw", secret_env: "TEST_SECRET" },
        { type: "fill", css: "textarea", value: "first" },
        { type: "fill", css: "textarea", value: "second\nline" },
        { type: "fill", css: "#amount", value: "7" },
        { type: "select_option", css: "#lang", values: ["English"] },
        { type: "check", role: "checkbox", name: "I agree" },
        { type: "click", role: "button", name: "late", match: "contains" },
        { type: "click", text: "In shadow" },
        { type: "click", role: "button", name: "Ask" },
        { type: "press", css: "input[name=user]", key: "Enter" },
        { type: "wait_for", role: "heading", name: "Welcome" },
      ],
      { capture: everything },
    );
    expect(browserScenarioCaptureSchema.parse(capture)).toEqual(capture);
    expect(told(capture)).toEqual(new Array(13).fill("completed"));
    expect(capture).toMatchObject({ outcome: "completed", cleanup: { state: "proven", resources: [] }, browser: { mode: "launch", sandbox } });
    expect(capture.steps[0]).toMatchObject({ step_id: "scenario_start", url: "about:blank" });
    const sent = site.requests.find((line) => line.includes("/welcome")) ?? "";
    expect(Object.fromEntries(new URL(`${site.origin}${sent.split(" ")[2] ?? ""}`).searchParams)).toMatchObject({ user: "ada", pw: secret, note: "second\r\nline", lang: "en", agree: "on" });
    expect(site.requests.filter((line) => line.startsWith("other"))).toEqual([]);
    expect(capture.completeness.aborted_requests).toBeGreaterThanOrEqual(2);
    expect(texts(capture)).toEqual(expect.arrayContaining(["spy blocked", "socket hello", "typed user"]));
    expect(texts(capture)).not.toContain("registered");
    expect(site.requests).not.toContain("first GET /sw.js");
    expect(site.requests.filter((line) => line.startsWith("socket"))).toEqual(["socket /socket"]);
    expect(capture.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["network", "websocket", "frame", "dialog", "worker"]));
    expect(capture.events.filter((event) => event.kind === "network" && event.step_id === "s11" && event.url.includes("/welcome"))).toMatchObject([{ status: 200, outcome: "finished", media_type: "text/html" }]);
    // The secret, its forms, and the cookie are nowhere; the picture of the page that shows the query is withheld.
    const whole = JSON.stringify(capture);
    for (const form of [secret, encodeURIComponent(secret), "hunter2", "classified"]) expect(whole).not.toContain(form);
    expect(capture.steps.at(-1)?.screenshot).toEqual({ state: "withheld", reason: "secret_visible" });
    expect(capture.completeness).toMatchObject({ equality_eligible: false, reasons: ["secret_withheld"] });
    expect(JSON.stringify(summarizeScenario(capture, { sha256: "0".repeat(64), bytes: 1 })).length).toBeLessThan(32_000);
  }, 240_000);

  it("gives the page its environment and its storage, answers from the replay, and keeps pictures", async () => {
    const capture = await run([{ type: "goto", url: `${site.origin}/two` }, { type: "wait_for", css: "#zone" }], {
      environment: { viewport: { width: 777, height: 555, device_scale_percent: 150 }, locale: "de-CH", timezone: "Asia/Tokyo", color_scheme: "dark", reduced_motion: "reduce" },
      storage_seed: { cookies: [{ url: `${site.origin}/`, name: "seeded", value: "yes" }], local: [{ origin: site.origin, name: "seed", value: "planted" }] },
      request_replay: { responses: [{ url: `${site.origin}/favicon.ico`, status: 204 }] },
      capture: { ...everything, after_each_step: ["storage"] },
    });
    expect(told(capture)).toEqual(["completed", "completed"]);
    const picture = capture.steps.at(-1)?.screenshot;
    expect(picture).toMatchObject({ state: "captured", width: 1166, height: 833, path: expect.stringMatching(/^\/pictures\/[0-9a-f]{64}\.png$/) });
    expect(picture?.state === "captured" && saved.get(picture.sha256)?.length).toBe(picture?.state === "captured" ? picture.bytes : 0);
    expect(capture.steps.at(-1)?.storage?.items).toEqual(expect.arrayContaining([expect.objectContaining({ scope: "local", entries: 1, keys: ["seed"] }), expect.objectContaining({ scope: "cookie", keys: ["seeded"] })]));
    expect(capture.completeness).toEqual({ equality_eligible: true, reasons: [], dropped_events: 0, aborted_requests: 0 });
    const shown = await run([{ type: "goto", url: `${site.origin}/two` }, { type: "wait_for", text: "Asia/Tokyo de-CH 777 1.5 true true seeded=yes planted" }], {
      environment: { viewport: { width: 777, height: 555, device_scale_percent: 150 }, locale: "de-CH", timezone: "Asia/Tokyo", color_scheme: "dark", reduced_motion: "reduce" },
      storage_seed: { cookies: [{ url: `${site.origin}/`, name: "seeded", value: "yes" }], local: [{ origin: site.origin, name: "seed", value: "planted" }] },
      ...patient,
    });
    expect(told(shown)).toEqual(["completed", "completed"]);
  }, 240_000);

  it("answers requests that are replayed, and aborts those that are not when it is told to", async () => {
    const capture = await run([{ type: "goto", url: `${site.origin}/page` }, { type: "wait_for", text: "from the replay" }], {
      request_replay: {
        unmatched: "abort",
        responses: [
          { url: `${site.origin}/page`, headers: [{ name: "content-type", value: "text/html" }], body: "<p id=p></p><script>fetch('/data').then(r=>r.text()).then(t=>p.textContent=t);fetch('/unknown').catch(()=>0)</script>" },
          { url: `${site.origin}/data`, body: "from the replay" },
        ],
      },
      capture: everything,
    });
    expect(told(capture)).toEqual(["completed", "completed"]);
    expect(site.requests.filter((line) => /\/(page|data|unknown)/.test(line))).toEqual([]);
    expect(capture.events.filter((event) => event.kind === "network" && event.replayed).map((event) => (event.kind === "network" ? event.url : ""))).toEqual([`${site.origin}/page`, `${site.origin}/data`]);
    expect(capture.events.filter((event) => event.kind === "blocked_request").map((event) => (event.kind === "blocked_request" ? event.url : ""))).toContain(`${site.origin}/unknown`);
    expect(capture.completeness.reasons).toContain("replay_incomplete");
  }, 120_000);

  it.each([
    ["an element that is not there", { type: "click", css: "#nothing" }, ["locator_not_found", 0]],
    ["two elements", { type: "click", css: ".item" }, ["locator_ambiguous", 2]],
    ["a selector that is none", { type: "click", css: "p[[" }, ["locator_invalid", 0]],
    ["an element behind another", { type: "click", css: "#covered" }, ["covered", 1]],
    ["a field that is no field", { type: "fill", css: "h1", value: "x" }, ["not_editable", 1]],
    ["an option that is not there", { type: "select_option", css: "#lang", values: ["Klingon"] }, ["option_not_found", 1]],
    ["a box that is none", { type: "check", css: "h1" }, ["wrong_element", 1]],
    ["a key that is none", { type: "press", key: "Hyper+Q" }, ["key_unknown", null]],
    ["a redirect to another origin", { type: "goto", url: "/leave" }, ["navigation_blocked", null]],
    ["a page that does not come", { type: "goto", url: "/hang" }, ["timeout", null]],
  ] as const)("ends at %s, tells why, and keeps what came before", async (_, action, failure) => {
    const last = "url" in action ? { ...action, url: `${site.origin}${action.url}` } : action;
    const capture = await run([{ type: "goto", url: `${site.origin}/` }, last, { type: "wait_for_timeout", ms: 1 }], { capture: { limits: { step_ms: 6_000, total_ms: 120_000 }, at_end: ["url"] } });
    expect(told(capture)).toEqual(["completed", failure, "not_run"]);
    expect(capture).toMatchObject({ outcome: "failed", completeness: { equality_eligible: false, reasons: expect.arrayContaining(["step_failed"]) }, cleanup: { state: "proven", resources: [] } });
  }, 120_000);

  it("tells how many elements a locator found when it should find one, however many", async () => {
    const capture = await run([{ type: "goto", url: `${site.origin}/many` }, { type: "click", css: "i" }, { type: "wait_for_timeout", ms: 1 }], patient);
    expect(told(capture)).toEqual(["completed", ["locator_ambiguous", 500], "not_run"]);
  }, 120_000);

  it("keeps popups from opening and downloads from being written, and tells of them", async () => {
    const capture = await run(
      [{ type: "goto", url: `${site.origin}/` }, { type: "click", role: "button", name: "Open" }, { type: "click", role: "link", name: "Get file" }, { type: "wait_for_timeout", ms: 800 }],
      { capture: everything },
    );
    expect(told(capture)).toEqual(["completed", "completed", "completed", "completed"]);
    expect(capture.events.filter(({ kind }) => kind === "popup")).toMatchObject([{ closed: true }]);
    expect(capture.events.filter(({ kind }) => kind === "download")).toMatchObject([{ suggested_name: "report.txt", denied: true }]);
  }, 120_000);

  it("two runs of one scenario are equal step by step; another page is a change of exactly the steps that saw it", async () => {
    const steps = [{ type: "goto", url: `${site.origin}/two` }, { type: "wait_for", css: "#zone" }];
    const capture = { after_each_step: ["dom", "accessibility", "url"], events: ["network"], limits: { step_ms: 30_000, total_ms: 120_000 } };
    const [first, second] = [await run(steps, { capture }), await run(steps, { capture })];
    const options = { normalization: [], maxChanges: 100, operation: "compare_web_captures" };
    expect(compareWebCaptures({ kind: "browser-scenario", left: first, right: second }, options)).toMatchObject({ status: "unchanged", changes: { total: 0 } });
    const other = await run([{ type: "goto", url: `${site.origin}/crash` }, { type: "wait_for", css: "p" }], { capture });
    const found = compareWebCaptures({ kind: "browser-scenario", left: first, right: other }, options);
    expect(found.status).toBe("changed");
    expect(found.steps.map(({ step_id, url, status }) => [step_id, url, status])).toEqual([["scenario_start", "unchanged", "unchanged"], ["s0", "changed", "changed"], ["s1", "changed", "changed"]]);
    expect(new Set(found.changes.items.map(({ step_id }) => step_id))).toEqual(new Set(["s0", "s1"]));
  }, 240_000);

  it("a browser that is killed in the middle ends the run with what had been seen, and nothing of it stays", async () => {
    const before = new Set(profiles());
    const running = run([{ type: "goto", url: `${site.origin}/killed` }, { type: "wait_for_timeout", ms: 30_000 }], { capture: { after_each_step: ["url"], limits: { step_ms: 30_000, total_ms: 120_000 } } });
    await killBrowserOf(before);
    const capture = await running;
    expect(capture).toMatchObject({ outcome: "failed", cleanup: { state: "proven", resources: [] } });
    expect(["browser_exited", "disconnected"]).toContain(capture.steps.find(({ outcome }: ScenarioStep) => outcome === "failed")?.failure);
    expect(profiles().filter((name) => !before.has(name))).toEqual([]);
  }, 120_000);

  it("that is cancelled leaves neither processes nor a profile", async () => {
    const before = new Set(profiles());
    const controller = new AbortController();
    const running = run([{ type: "goto", url: `${site.origin}/hang` }], patient, controller.signal);
    setTimeout(() => controller.abort(), 2_500);
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    expect(profiles().filter((name) => !before.has(name))).toEqual([]);
  }, 60_000);

  it("in a browser that was there acts in its page, leaves the browser, and undoes what it set", async () => {
    const browser = await launchBrowser(launcher, { executable: installedBrowser ?? "", signal: new AbortController().signal, lifetimeMs: 120_000, sandbox, url: `${site.origin}/crash`, parent });
    const recorder = await recordingEndpoint(browser.endpoint);
    try {
      const target = await pageOf(browser.endpoint);
      const actions = [{ type: "goto", url: `${site.origin}/` }, { type: "fill", css: "textarea", value: "x" }, { type: "check", role: "checkbox", name: "I agree" }, { type: "goto", url: `${site.origin}/two` }];
      const capture = await run(actions, { browser: { mode: "connect", cdp_endpoint: recorder.url, target_id: target }, capture: everything });
      expect(told(capture)).toEqual(["completed", "completed", "completed", "completed"]);
      const allowed: readonly string[] = scenarioMethods;
      expect(recorder.methods.filter((method) => !allowed.includes(method))).toEqual([]);
      expect(recorder.methods).toContain("Fetch.enable");
      while (recorder.open() > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(capture).toMatchObject({ browser: { mode: "connect", executable_sha256: null }, cleanup: { state: "proven", ownership_proof: null, resources: [] } });
      expect(await pageOf(browser.endpoint)).toBe(target);
      expect(browser.exit()).toBeNull();
    } finally {
      await recorder.close();
      await browser.close();
    }
  }, 120_000);

  it.each([
    ["a password in a URL", { actions: [{ step_id: "a", type: "goto", url: "http://ada:secret@127.0.0.1/" }] }, "scenario.actions[0].url"],
    ["a token in a URL", { actions: [{ step_id: "a", type: "goto", url: "http://127.0.0.1/?access_token=abc" }] }, "scenario.actions[0].url"],
    ["an origin that is not allowed", { actions: [{ step_id: "a", type: "goto", url: "http://127.0.0.1:1/" }], allowed_origins: ["http://127.0.0.1:2"] }, "scenario.actions[0].url"],
    ["a credential in a header", { actions: [{ step_id: "a", type: "press", key: "a" }], request_replay: { responses: [{ url: "http://127.0.0.1/", headers: [{ name: "Set-Cookie", value: "a=b" }] }] } }, "scenario.request_replay.responses[0].headers[0].name"],
  ])("with %s is refused before anything starts", async (_, more, path) => {
    const scenario = browserScenarioSchema.parse({ browser: { mode: "launch", sandbox }, ...more });
    await expect(runBrowserScenario({ scenario, host: { launcher, environment }, save: () => Promise.resolve(""), signal: new AbortController().signal, progress: silentProgress })).rejects.toMatchObject({
      code: "invalid_request",
      details: { issues: [{ path }] },
    });
  });

  it("whose secret is not set is refused before anything starts", async () => {
    await expect(run([{ type: "fill", css: "input", secret_env: "TEST_SECRET_THAT_IS_NOT_SET" }])).rejects.toMatchObject({ code: "unreadable_output", details: { reason: "secret_unavailable" } });
  });

  const profiles = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("rea-browser-"));

  /** Waits for the browser whose profile is new, and kills its main process once the page was asked for. */
  async function killBrowserOf(before: ReadonlySet<string>): Promise<void> {
    for (;;) {
      const [fresh] = profiles().filter((name) => !before.has(name));
      const main = fresh === undefined ? undefined : processesUsing(fresh).find(({ arguments: args }) => !args.some((each) => each.startsWith("--type=")));
      if (main !== undefined && site.requests.includes("first GET /killed")) {
        await new Promise((resolve) => setTimeout(resolve, 800));
        return void process.kill(main.pid, "SIGKILL");
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});

async function pageOf(endpoint: string): Promise<string> {
  for (;;) {
    const targets: unknown = await (await fetch(`${endpoint}/json/list`)).json();
    const page = Array.isArray(targets) ? targets.find((target: { readonly type?: unknown }) => target.type === "page") : undefined;
    if (typeof page?.id === "string") return page.id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
