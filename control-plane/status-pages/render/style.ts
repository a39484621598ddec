import type { ComponentState, IncidentState, OverallState } from '../compile/model.js';

/** Short, because each state on a page has one: good, warning, bad, information, not known. */
const CLASSES: Readonly<Record<ComponentState | OverallState | IncidentState, string>> = {
  operational: 'a',
  resolved: 'a',
  degraded: 'b',
  partial_outage: 'b',
  investigating: 'b',
  identified: 'b',
  outage: 'c',
  major_outage: 'c',
  maintenance: 'd',
  monitoring: 'd',
  not_known: 'e',
  empty: 'e',
};

/** Returns the class of a state: its colour and its shape. */
export function stateClass(state: keyof typeof CLASSES): string {
  return CLASSES[state];
}

/**
 * The style of public pages, small because each page carries it. Colour means state; each state also has a shape and a word.
 * `accent` is `#rrggbb`.
 */
export function pageStyle(accent: string): string {
  return `:root{color-scheme:light dark;--accent:${accent};--back:#f6f7f9;--box:#fff;--line:#dfe3e9;--ink:#171a21;--soft:#566072;--up:#12803c;--warn:#9a5700;--down:#c81e28;--info:#0a66c2;--none:#8b93a1}
@media(prefers-color-scheme:dark){:root{--back:#0e1014;--box:#16191f;--line:#2a2f39;--ink:#e9ebef;--soft:#a3acba;--up:#43bd6a;--warn:#e3a53a;--down:#ff7070;--info:#62adf5;--none:#727b8a}}
*{box-sizing:border-box}
body{margin:0;border-top:6px solid var(--accent);background:var(--back);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
header,main,footer{max-width:52rem;margin:0 auto;padding:16px}
.logo{display:block;max-width:min(100%,280px);max-height:96px;border-radius:6px;background:#fff}
h1{margin:8px 0 0;font-size:28px;line-height:1.2}
h2{margin:32px 0 8px;font-size:18px}
h3{margin:20px 0 8px;font-size:15px}
p{margin:4px 0}
ul{margin:0;padding:0;border:1px solid var(--line);border-radius:10px;background:var(--box);list-style:none}
li{padding:12px 16px;border-top:1px solid var(--line)}
li:first-child{border-top:0}
li>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px}
li>div b{font-weight:600}
.soft,footer,small,.ends{color:var(--soft);font-size:14px}
.ends{display:flex;justify-content:space-between}
.a,.b,.c,.d,.e{display:inline-flex;align-items:center;gap:8px;font-weight:600}
.a::before,.b::before,.c::before,.d::before,.e::before{flex:none;width:12px;height:12px;background:currentColor;content:""}
.a{color:var(--up)}
.a::before{border-radius:50%}
.b{color:var(--warn)}
.b::before{clip-path:polygon(50% 0,100% 100%,0 100%)}
.c,.wrong{color:var(--down)}
.d{color:var(--info)}
.d::before{clip-path:polygon(50% 0,100% 50%,50% 100%,0 50%)}
.e{color:var(--soft)}
.e::before{border:2px solid;border-radius:50%;background:none}
.overall{margin-top:16px;padding:16px;border:1px solid var(--line);border-radius:10px;background:var(--box);font-size:20px}
svg{display:block;width:100%;height:28px;margin:8px 0 4px;-webkit-mask:repeating-linear-gradient(90deg,#000 0 calc(100%/90*.7),#0000 0 calc(100%/90));mask:repeating-linear-gradient(90deg,#000 0 calc(100%/90*.7),#0000 0 calc(100%/90))}
path{fill:none;stroke:#0000;stroke-width:2;pointer-events:all}
.u{stroke:var(--up)}.s{stroke:var(--warn)}.l{stroke:var(--down)}.n{stroke:var(--line)}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;margin-top:8px;color:var(--soft);font-size:14px}
.key i{display:inline-block;width:8px;height:16px;margin-right:6px;vertical-align:-3px;background:var(--up)}
.key .ks{background:var(--warn)}.key .kl{background:var(--down)}.key .kn{background:var(--line)}
ol{margin:8px 0 0;padding:0;list-style:none}
ol li{padding:4px 0;border:0}
form{display:grid;gap:8px;max-width:22rem;margin-top:16px}
input,button{min-height:44px;padding:8px 12px;border:1px solid var(--none);border-radius:8px;background:var(--box);color:var(--ink);font:inherit}
button{font-weight:600;cursor:pointer}
a{color:inherit}
:focus-visible{outline:2px solid var(--info);outline-offset:2px}
`;
}
