import { toIso } from '../../../kernel/clock.js';
import { fitted, isolated } from '../../on-call/page/fitted.js';
import type { IncidentState, NoticeModel, OutageModel, PageModel } from '../compile/model.js';
import type { PageWords } from '../words/words.js';
import type { Formats } from './formats.js';
import { proseHtml } from './prose.js';
import { stateClass } from './style.js';

const NAME_BYTES_MAX = 600;
const TEXT_BYTES_MAX = 3_000;
/** Texts of people on one page, so that it stays small. Everything is in the feed and in `.json`. */
const PROSE_BYTES_MAX = 9_000;
const OPEN_UPDATES_SHOWN = 5;
const PAST_SHOWN = 10;

/** The words and formats of the language of a page. */
export interface Pen {
  words: PageWords;
  formats: Formats;
}

/** Returns the items of the incidents that last, and of those that are over, each the newest first, as HTML. */
export function incidentItems({ outages, notices }: PageModel, pen: Pen): { open: string[]; past: string[] } {
  let room = PROSE_BYTES_MAX;
  const prose = (text: string) => {
    const html = room <= 0 ? '' : proseHtml(text, Math.min(room, TEXT_BYTES_MAX));
    room -= Buffer.byteLength(html);
    return html;
  };
  const items = (isOpen: boolean) =>
    [
      ...notices.map((notice) => ({ ...notice, html: () => noticeItem(notice, pen, prose) })),
      ...outages.map((outage) => ({ ...outage, html: () => outageItem(outage, pen) })),
    ]
      .filter(({ resolvedMs }) => (resolvedMs === null) === isOpen)
      .sort((a, b) => b.startedMs - a.startedMs);
  return {
    open: items(true).map(({ html }) => html()),
    past: items(false)
      .slice(0, PAST_SHOWN)
      .map(({ html }) => html()),
  };
}

function noticeItem(notice: NoticeModel, pen: Pen, prose: (text: string) => string): string {
  const { title, state, components, updates, resolvedMs } = notice;
  const affected =
    components.length === 0
      ? ''
      : `<p class="soft">${fitted(pen.words.affected(pen.formats.list(components)), TEXT_BYTES_MAX)}</p>`;
  const shown = updates.slice(0, resolvedMs === null ? OPEN_UPDATES_SHOWN : 1);
  const list = shown.map(({ state: of, atMs, editedMs, text }) => {
    const edited = editedMs === null ? '' : ` <span class="soft">(${pen.words.edited})</span>`;
    return `<li>${head(of, atMs, pen)}${edited}${prose(text)}</li>`;
  });
  return `${titleRow(isolated(title, NAME_BYTES_MAX), state, pen)}${affected}<ol>${list.join('')}</ol>`;
}

function outageItem({ component, startedMs, resolvedMs, recovered }: OutageModel, pen: Pen): string {
  const { words, formats } = pen;
  const line = (state: IncidentState, atMs: number, text: string) =>
    `<li>${head(state, atMs, pen)}<p>${fitted(text, TEXT_BYTES_MAX)}</p></li>`;
  const ended =
    resolvedMs === null
      ? ''
      : line('resolved', resolvedMs, endOf({ component, recovered }, formats.duration(resolvedMs - startedMs), words));
  const began = line('investigating', startedMs, words.outageBegan(component));
  const title = fitted(resolvedMs === null ? words.outage(component) : words.outageOver(component), NAME_BYTES_MAX);
  return `${titleRow(title, resolvedMs === null ? 'investigating' : 'resolved', pen)}<ol>${ended}${began}</ol>`;
}

/** Says how an outage ended. */
export function endOf(
  { component, recovered }: Pick<OutageModel, 'component' | 'recovered'>,
  duration: string,
  words: PageWords,
): string {
  return recovered ? words.outageEnded(component, duration) : words.outageClosed(component, duration);
}

function titleRow(titleHtml: string, state: IncidentState, { words }: Pen): string {
  return `<div><b>${titleHtml}</b><span class="${stateClass(state)}">${words.incidentStates[state]}</span></div>`;
}

function head(state: IncidentState, atMs: number, { words, formats }: Pen): string {
  return `<b>${words.incidentStates[state]}</b> · ${timeHtml(atMs, formats)}`;
}

export function timeHtml(atMs: number, formats: Formats): string {
  return `<time datetime="${toIso(atMs)}">${formats.time(atMs)}</time>`;
}
