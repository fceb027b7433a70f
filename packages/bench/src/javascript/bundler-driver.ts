/** Applications that are built: entry and sources, over packages of the registry. */
export const applications = {
  react: {
    "main.jsx": `import React, { Suspense, lazy, useState } from "react";
import { createRoot } from "react-dom/client";
import { format } from "./util/format.js";
const Page = lazy(() => import("./page.jsx"));
function App() { const [n, set] = useState(0); return <Suspense fallback="…"><button onClick={() => set(n + 1)}>{format(n)}</button><Page n={n} /></Suspense>; }
createRoot(document.getElementById("root")).render(<App />);`,
    "util/format.js": `import { pad } from "./pad.js"; export const format = (n) => pad(String(n)) + "!"; export const unused = () => 1;`,
    "util/pad.js": `export const pad = (s) => s.padStart(8, "-"); console.log("pad loaded");`,
    "page.jsx": `import React from "react"; import { pad } from "./util/pad.js"; export default function Page({ n }) { fetch("/api/page/" + n); return <p>{pad("page")}</p>; }`,
  },
  vue: {
    "main.jsx": `import { createApp, h, ref } from "vue";
import { createRouter, createWebHistory } from "vue-router";
import { store } from "./store.js";
const router = createRouter({ history: createWebHistory(), routes: [{ path: "/", component: { render: () => h("p", store.name) } }, { path: "/about", component: () => import("./about.js") }] });
createApp({ setup: () => () => h("div", ref(1).value) }).use(router).mount("#app");`,
    "store.js": `import { reactive } from "vue"; export const store = reactive({ name: "x" });`,
    "about.js": `import { h } from "vue"; import { store } from "./store.js"; export default { render: () => h("b", store.name) };`,
  },
  data: {
    "main.jsx": `import { debounce, groupBy } from "lodash-es";
import { select, scaleLinear, line } from "d3";
import { draw } from "./draw/draw.js";
window.addEventListener("resize", debounce(() => draw(select("#c"), scaleLinear(), line()), 100));
console.log(groupBy([1, 2], (x) => x % 2));`,
    "draw/draw.js": `import { axisBottom } from "d3-axis"; import { shade } from "./shade.js"; export function draw(s, x, l) { s.call(axisBottom(x)); return shade(l); }`,
    "draw/shade.js": `import { color } from "d3-color"; export const shade = (l) => color("red") + l;`,
  },
} as const;

export const packages = ["webpack@5", "vite@7", "esbuild@0.25", "react@18", "react-dom@18", "vue@3", "vue-router@4", "lodash-es@4", "d3@7"] as const;

/** Builds every application with every bundler for production, and writes beside each build what the bundler says it holds. */
export const driver = `
import { writeFileSync } from "node:fs"; import { resolve, relative } from "node:path"; import { createRequire } from "node:module";
const require = createRequire(import.meta.url); const root = process.cwd();
const rel = (path) => relative(root, path.replace(/^\\0/, "").replace(/\\?.*$/, "")).replaceAll("\\\\", "/");
const define = { "process.env.NODE_ENV": '"production"' };
for (const app of ["react", "vue", "data"]) {
  const entry = "apps/" + app + "/main.jsx";
  {
    const esbuild = await import("esbuild"); const out = "out/esbuild-" + app;
    const { metafile } = await esbuild.build({ entryPoints: [entry], bundle: true, minify: true, sourcemap: true, splitting: true, format: "esm", outdir: out, metafile: true, define, jsx: "transform", logLevel: "error" });
    const modules = new Set(Object.values(metafile.outputs).flatMap((o) => Object.entries(o.inputs).filter(([, i]) => i.bytesInOutput > 0).map(([p]) => p)));
    const edges = Object.entries(metafile.inputs).flatMap(([from, i]) => i.imports.filter((x) => modules.has(from) && modules.has(x.path)).map((x) => [from, x.path]));
    writeFileSync(out + ".truth.json", JSON.stringify({ modules: [...modules], edges }));
  }
  {
    const { build } = await import("vite"); const out = "out/vite-" + app; const modules = new Set(); const edges = [];
    const truth = { name: "truth", generateBundle(_, bundle) {
      for (const c of Object.values(bundle)) for (const [id, m] of Object.entries(c.modules ?? {})) if (m.renderedLength > 0 && !id.startsWith("\\0")) modules.add(id);
      // The plugin for CommonJS puts modules of its own between two files: what they lead to counts.
      const targets = (id, seen) => { if (seen.has(id)) return []; seen.add(id); const info = this.getModuleInfo(id); return [...info.importedIds, ...info.dynamicallyImportedIds].flatMap((to) => (modules.has(to) ? [to] : to.startsWith("\\0") ? [...(modules.has(to.slice(1).replace(/\\?.*$/, "")) ? [to.slice(1).replace(/\\?.*$/, "")] : []), ...targets(to, seen)] : [])); };
      for (const id of modules) for (const to of targets(id, new Set())) edges.push([rel(id), rel(to)]);
    } };
    await build({ root, logLevel: "error", configFile: false, esbuild: { jsx: "transform" }, define, build: { outDir: out, sourcemap: true, minify: true, rollupOptions: { input: entry } }, plugins: [truth] });
    writeFileSync(out + ".truth.json", JSON.stringify({ modules: [...modules].map(rel), edges }));
  }
  {
    const webpack = require("webpack"); const out = "out/webpack-" + app; const edges = []; const modules = new Set();
    const truth = { apply(compiler) { compiler.hooks.compilation.tap("truth", (compilation) => compilation.hooks.finishModules.tap("truth", (all) => {
      for (const from of all) for (const { module } of compilation.moduleGraph.getOutgoingConnections(from)) if (from.resource && module?.resource && module !== from) edges.push([rel(from.resource), rel(module.resource)]);
    })); } };
    const stats = await new Promise((ok, no) => webpack({ mode: "production", devtool: "source-map", context: root, entry: "./" + entry, output: { path: resolve(out), filename: "[name].js", chunkFilename: "[id].chunk.js" }, module: { rules: [{ test: /\\.jsx$/, use: resolve("jsx-loader.cjs") }] }, plugins: [truth] }, (e, s) => (e ? no(e) : ok(s))));
    const visit = (m) => { if (m.modules) m.modules.forEach(visit); else if (m.moduleType?.startsWith("javascript") && m.nameForCondition) modules.add(rel(m.nameForCondition)); };
    stats.toJson({ all: false, modules: true, nestedModules: true, ids: true, orphanModules: false, modulesSpace: 1e6, nestedModulesSpace: 1e6 }).modules.forEach(visit);
    writeFileSync(out + ".truth.json", JSON.stringify({ modules: [...modules], edges: edges.filter(([a, b]) => modules.has(a) && modules.has(b)) }));
  }
}
`;

export const jsxLoader = `
module.exports = function (source) { const done = this.async(); require("esbuild").transform(source, { loader: "jsx", sourcemap: true, sourcefile: this.resourcePath, sourcesContent: true }).then((r) => done(null, r.code, JSON.parse(r.map)), done); };
`;
