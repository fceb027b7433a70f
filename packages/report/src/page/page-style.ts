/** Readable on a phone, in light and dark, and on paper. */
export const pageStyle = `
:root{color-scheme:light dark;--text:#1a1a1a;--dim:#57606a;--line:#d0d7de;--ground:#fff;--accent:#0550ae}
@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--dim:#9da7b1;--line:#30363d;--ground:#0d1117;--accent:#79c0ff}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1rem}h1{font-size:1.6rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2rem 0 .5rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
th{color:var(--dim);font-weight:600;white-space:nowrap}td{overflow-wrap:break-word;max-width:60ch}code{font:.82rem ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{margin:0;font:.82rem/1.35 ui-monospace,Menlo,Consolas,monospace}.dim,.cite,footer{color:var(--dim)}.cite{margin:.25rem 0}.bad{color:#b3261e;font-weight:600}.good{color:#116329;font-weight:600}.open{color:#7d4e00;font-weight:600}
.map{background:none}.map text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:var(--text)}.map .dim{fill:var(--dim)}.bar{fill:var(--accent)}
footer{margin:3rem 0 1rem;font-size:.85rem;border-top:1px solid var(--line);padding-top:1rem}
@media(prefers-color-scheme:dark){.bad{color:#ff7b72}.good{color:#3fb950}.open{color:#d29922}}
@media print{main{max-width:none}section{break-inside:avoid-page}.wide{overflow:visible}}
`;
