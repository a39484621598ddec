import { fitted } from '../../on-call/page/fitted.js';
import type { ComponentState, OverallState, PageModel } from '../compile/model.js';
import { type PageLanguage, WORDS } from '../words/languages.js';
import { overallText, stateText } from './said.js';

const NAME_CHARS_MAX = 40;
const TEXT_BYTES_MAX = 400;
const HEIGHT = 20;
/** Of a character of 11 pixels in most fonts. A text that is wider is pressed together. */
const CHAR_WIDTH = 6.6;
/** East Asian characters and emoji are twice as wide. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;
const MARGIN = 6;

const COLORS: Readonly<Record<ComponentState | OverallState, string>> = {
  operational: '#12803c',
  maintenance: '#0a66c2',
  not_known: '#566072',
  empty: '#566072',
  degraded: '#9a5700',
  partial_outage: '#9a5700',
  outage: '#c81e28',
  major_outage: '#c81e28',
};

/** Returns the picture of the state of a page, or of one of its components; null if it has no such component. */
export function badge(model: PageModel, componentId: string | null, language: PageLanguage): string | null {
  const words = WORDS[language];
  if (componentId === null) return picture(model.title, overallText(model, words), COLORS[model.state], language);
  const component = model.groups.flatMap(({ components }) => components).find(({ id }) => id === componentId);
  if (component === undefined) return null;
  return picture(component.name, stateText(component, words), COLORS[component.state], language);
}

function picture(name: string, state: string, color: string, language: PageLanguage): string {
  const short = [...name].length > NAME_CHARS_MAX ? `${[...name].slice(0, NAME_CHARS_MAX - 1).join('')}…` : name;
  const [left, right] = [short, state].map((text) => Math.ceil(widthOf(text)) + 2 * MARGIN) as [number, number];
  const text = (x: number, width: number, content: string) =>
    `<text x="${x + MARGIN}" y="14" textLength="${width - 2 * MARGIN}" lengthAdjust="spacingAndGlyphs">${fitted(content, TEXT_BYTES_MAX)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" xml:lang="${language}">
<title>${fitted(`${short}: ${state}`, TEXT_BYTES_MAX)}</title>
<rect width="${left + right}" height="${HEIGHT}" rx="4" fill="#30363f"/>
<path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${right - 4}z" fill="${color}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(0, left, short)}${text(left, right, state)}</g>
</svg>
`;
}

function widthOf(text: string): number {
  return [...text].reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1) * CHAR_WIDTH, 0);
}
