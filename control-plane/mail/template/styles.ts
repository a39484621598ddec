const FONT = '-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const MONOSPACE = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';
/** For clients without `overflow-wrap: anywhere`, such as Outlook, the older `word-break`. */
const BREAK = 'overflow-wrap:anywhere;word-break:break-word';

/**
 * Inline styles are the light mode. Neither pure black nor pure white: clients that invert colours by force (Gmail on
 * iOS, Outlook) invert the lightness, and the contrast remains.
 */
const INLINE = {
  page: `margin:0;padding:0;background-color:#f3f4f6;color:#1c2024;font-family:${FONT};-webkit-text-size-adjust:100%`,
  frame: 'background-color:#f3f4f6',
  margin: 'padding:24px 16px',
  column: 'max-width:600px;margin:0 auto;text-align:left',
  brand: `padding:0 4px 12px;font:700 17px/1.4 ${FONT};color:#57606a`,
  card: `padding:28px 32px 24px;background-color:#fdfdfe;border:1px solid #d5dae1;border-radius:10px;${BREAK}`,
  heading: `margin:0 0 16px;font:700 22px/1.3 ${FONT};color:#1c2024;${BREAK}`,
  paragraph: `margin:0 0 16px;font:400 16px/1.5 ${FONT};color:#1c2024;${BREAK}`,
  facts: 'border-collapse:collapse;margin:0 0 16px;table-layout:fixed',
  label: `width:130px;padding:5px 16px 5px 0;font:400 15px/1.45 ${FONT};color:#57606a;vertical-align:top`,
  value: `padding:5px 0;text-align:left;font:400 15px/1.45 ${FONT};color:#1c2024;vertical-align:top;${BREAK}`,
  code: `margin:0 0 16px;padding:14px 16px;border:1px solid #d5dae1;border-radius:8px;font:700 24px/1.3 ${MONOSPACE};letter-spacing:2px;color:#1c2024;${BREAK}`,
  buttonTable: 'margin:8px 0 20px',
  buttonCell: 'border-radius:8px;background-color:#1f5fd0',
  buttonLink: `display:inline-block;padding:12px 22px;border:1px solid #1f5fd0;border-radius:8px;background-color:#1f5fd0;font:600 16px/1.3 ${FONT};color:#fdfdfe;text-decoration:none`,
  address: `margin:0 0 4px;font:400 13px/1.5 ${FONT};color:#57606a;${BREAK}`,
  addressLink: 'color:#1f5fd0;text-decoration:underline;word-break:break-all',
  foot: `padding:16px 4px 0;font:400 13px/1.5 ${FONT};color:#57606a;${BREAK}`,
  footLine: 'margin:0 0 8px',
  footLink: 'color:#57606a;text-decoration:underline',
};

/** Colours of the dark mode by class. */
const DARK = [
  ['.page', 'background-color:#0f1318'],
  ['.card', 'background-color:#191f27;border-color:#343d49'],
  ['.strong', 'color:#e8ecf1'],
  ['.soft', 'color:#a3adba'],
  ['.code', 'border-color:#343d49'],
  ['.button', 'background-color:#2f6bd8'],
  ['.button-link', 'background-color:#2f6bd8;border-color:#2f6bd8;color:#fdfdfe'],
  ['.link', 'color:#86b1ff'],
] as const;

const important = (styles: string) => styles.replaceAll(/(?=;|$)/g, '!important');
const rules = (prefix: string) => DARK.map(([name, styles]) => `${prefix}${name}{${important(styles)}}`).join('\n');

const SHEET = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (max-width:480px){',
  '.margin{padding:16px 10px!important}',
  '.card{padding:22px 18px 18px!important}',
  '.facts,.facts tbody,.facts tr,.label,.value{display:block!important;width:auto!important}',
  '.label{padding:6px 0 0!important}',
  '.value{padding:0 0 6px!important}',
  '}',
  `@media (prefers-color-scheme:dark){\n${rules('')}\n}`,
  // Outlook on the web and its apps put this attribute on what they darken.
  rules('[data-ogsc] '),
].join('\n');

export const STYLES = { ...INLINE, sheet: SHEET };
