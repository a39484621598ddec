/** The only style of the pages. Colour means state; each state also has a shape and a word. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --box: #f6f8fa; --line: #d1d9e0; --ink: #1f2328; --soft: #59636e; --accent: #0969da; --on: #fff; --down: #cf222e; --warn: #9a6700; --up: #1a7f37; --info: #0969da; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --box: #161b22; --line: #30363d; --ink: #f0f6fc; --soft: #9198a1; --accent: #1f6feb; --down: #ff7b72; --warn: #d29922; --up: #3fb950; --info: #58a6ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 36rem; margin: 0 auto; padding: 20px 16px 32px; overflow-wrap: anywhere; }
h1 { margin: 4px 0; font-size: 24px; line-height: 1.25; }
h2 { margin: 28px 0 4px; font-size: 14px; color: var(--soft); }
p { margin: 8px 0; }
.state { display: flex; align-items: center; gap: 8px; margin: 0; font-weight: 700; letter-spacing: .03em; }
.soft, .votes small, footer { color: var(--soft); }
.since { font-size: 13px; }
.cause { margin: 16px 0; font-size: 17px; }
.note { margin: 16px 0; padding: 12px 14px; border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 6px; background: var(--box); }
.mark { flex: none; width: 12px; height: 12px; }
.down .mark { background: var(--down); } .down b, .state.down { color: var(--down); }
.warn .mark { background: var(--warn); clip-path: polygon(50% 0, 100% 100%, 0 100%); } .state.warn { color: var(--warn); }
.up .mark { border-radius: 50%; background: var(--up); } .state.up { color: var(--up); }
.info .mark { background: var(--info); clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); } .state.info { color: var(--info); }
.none .mark { border: 2px solid var(--soft); border-radius: 50%; } .state.none { color: var(--soft); }
form { display: grid; gap: 12px; margin: 20px 0; }
button { display: block; width: 100%; min-height: 60px; padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--box); color: var(--ink); font: inherit; font-weight: 600; font-size: 18px; cursor: pointer; }
button.first { border-color: var(--accent); background: var(--accent); color: var(--on); }
button small { display: block; font-weight: 400; font-size: 13px; line-height: 1.35; }
.votes { margin: 8px 0; padding: 0; list-style: none; }
.votes li { display: grid; grid-template-columns: 12px 1fr; gap: 2px 12px; padding: 10px 0; border-top: 1px solid var(--line); }
.votes .mark { margin-top: 6px; }
.votes small { grid-column: 2; font-size: 13px; }
.votes b { font-weight: 600; }
dl { margin: 8px 0; }
dt { margin-top: 8px; font-size: 13px; color: var(--soft); }
dd { margin: 0; }
.links { display: grid; gap: 12px; margin: 28px 0 0; }
.links a { display: block; min-height: 48px; padding: 11px 16px; border: 1px solid var(--line); border-radius: 8px; color: var(--ink); font-weight: 600; text-align: center; text-decoration: none; }
footer { margin-top: 28px; font-size: 13px; }
:focus-visible { outline: 2px solid var(--info); outline-offset: 2px; }
`;
