/**
 * The only style of the pages, in the colours of the dashboard. Colour means state; each state also has a shape and a
 * word.
 */
export const STYLE = `
:root { color-scheme: light dark; --back: #f6f7f9; --box: #fff; --line: #dfe3e9; --edge: #868e9c; --ink: #171a21; --soft: #566072; --accent: #4f46e5; --fill: #4f46e5; --down: #c81e28; --warn: #9a5700; --up: #12803c; --info: #0a66c2; --done: #edf8f0; }
@media (prefers-color-scheme: dark) { :root { --back: #0e1014; --box: #16191f; --line: #2a2f39; --edge: #727b8a; --ink: #e9ebef; --soft: #a3acba; --accent: #a9a5ff; --fill: #5e56ec; --down: #ff7070; --warn: #e3a53a; --up: #43bd6a; --info: #62adf5; --done: #13251a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; font-variant-numeric: tabular-nums; }
header, main { max-width: 36rem; margin: 0 auto; padding: 12px 16px; }
header { display: flex; align-items: center; gap: 8px; font-size: 15px; font-weight: 650; }
main { padding-top: 4px; padding-bottom: 32px; overflow-wrap: anywhere; }
h1 { margin: 4px 0; font-size: 24px; font-weight: 650; line-height: 1.25; }
h2 { margin: 28px 0 8px; font-size: 14px; font-weight: 650; }
p { margin: 8px 0; }
.state { display: flex; align-items: center; gap: 8px; margin: 0; font-weight: 700; letter-spacing: .03em; }
.soft, .votes small, footer { color: var(--soft); }
.since { font-size: 13px; }
.cause { margin: 16px 0; font-size: 17px; }
.note { margin: 16px 0; padding: 12px 14px; border-left: 3px solid var(--soft); border-radius: 8px; background: var(--box); }
.note.done { border-color: var(--up); background: var(--done); }
.mark { flex: none; width: 12px; height: 12px; }
.down .mark { background: var(--down); } .down b, .state.down { color: var(--down); }
.warn .mark { background: var(--warn); clip-path: polygon(50% 0, 100% 100%, 0 100%); } .state.warn { color: var(--warn); }
.up .mark { border-radius: 50%; background: var(--up); } .state.up { color: var(--up); }
.info .mark { background: var(--info); clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); } .state.info { color: var(--info); }
.none .mark { border: 2px solid var(--soft); border-radius: 50%; } .state.none { color: var(--soft); }
input:not([type=hidden]) { width: 100%; min-height: 52px; padding: 8px 14px; border: 1px solid var(--edge); border-radius: 8px; background: var(--box); color: var(--ink); font: inherit; }
code { font-size: 14px; }
form { display: grid; gap: 12px; margin: 20px 0; }
fieldset { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 8px; min-width: 0; margin: 8px 0 0; padding: 0; border: 0; }
legend { margin-bottom: 8px; padding: 0; font-size: 14px; color: var(--soft); }
button, .links a { display: block; width: 100%; min-height: 52px; padding: 8px 16px; border: 1px solid var(--edge); border-radius: 8px; background: var(--box); color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; }
button.first { min-height: 60px; border-color: transparent; background: var(--fill); color: #fff; font-size: 18px; }
button small { display: block; font-weight: 400; font-size: 13px; line-height: 1.35; }
.votes, dl { margin: 0; padding: 4px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--box); list-style: none; }
.votes li { display: grid; grid-template-columns: 12px 1fr; gap: 2px 12px; padding: 10px 0; border-top: 1px solid var(--line); }
.votes li:first-child { border-top: 0; }
.votes .mark { margin-top: 6px; }
.votes small { grid-column: 2; font-size: 13px; }
.votes b { font-weight: 600; }
dl { padding: 12px 16px; }
dt { margin-top: 12px; font-size: 13px; color: var(--soft); }
dt:first-child { margin-top: 0; }
dd { margin: 0; }
.links { display: grid; gap: 12px; margin: 28px 0 0; }
.links a { padding-top: 13px; text-align: center; text-decoration: none; }
footer { margin-top: 28px; font-size: 13px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
