import { toIso } from '../../../kernel/clock.js';
import { fitted, isolated } from '../../on-call/page/fitted.js';
import type { IncidentState, NoticeModel, OutageModel, PageModel } from '../compile/model.js';
import type { PageWords } from '../words/words.js';
import type { Formats } from './formats.js';
import { proseHtml } from './prose.js';
import type { TextRoom } from './room.js';
import { beginOf, endOf, outageTitle } from './said.js';
import { stateClass } from './style.js';

const TEXT_BYTES_MAX = 3_000;
const OPEN_UPDATES_SHOWN = 5;
/** Texts of Picket around the name of a component. */
const SENTENCE_BYTES = 300;
/** Names of components in a row are together as long as so many that stand alone. */
const AFFECTED_NAMES = 5;

/** The words and formats of the language of a page. */
export interface Pen {
  words: PageWords;
  formats: Formats;
}

/** The same with the room for texts on an HTML page. */
export interface HtmlPen extends Pen {
  room: TextRoom;
}

/** Returns the items of the incidents that last, and of those that are over, each the newest first, as HTML. */
export function incidentItems({ outages, notices }: PageModel, pen: HtmlPen): { open: string[]; past: string[] } {
  let room = pen.room.proseBytes;
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
    open: items(true)
      .slice(0, pen.room.openIncidents)
      .map(({ html }) => html()),
    past: items(false)
      .slice(0, pen.room.pastIncidents)
      .map(({ html }) => html()),
  };
}

function noticeItem(notice: NoticeModel, pen: HtmlPen, prose: (text: string) => string): string {
  const { title, state, components, updates, resolvedMs } = notice;
  const affected =
    components.length === 0
      ? ''
      : `<p class="soft">${fitted(pen.words.affected(pen.formats.list(components)), AFFECTED_NAMES * pen.room.nameBytes)}</p>`;
  const shown = updates.slice(0, resolvedMs === null ? OPEN_UPDATES_SHOWN : 1);
  const list = shown.map(({ state: of, atMs, editedMs, text }) => {
    const edited = editedMs === null ? '' : ` <span class="soft">(${pen.words.edited})</span>`;
    return `<li>${head(of, atMs, pen)}${edited}${prose(text)}</li>`;
  });
  return `${titleRow(isolated(title, pen.room.nameBytes), state, pen)}${affected}<ol>${list.join('')}</ol>`;
}

function outageItem(outage: OutageModel, pen: HtmlPen): string {
  const { startedMs, resolvedMs } = outage;
  const { words, formats } = pen;
  const line = (state: IncidentState, atMs: number, text: string) =>
    `<li>${head(state, atMs, pen)}<p>${fitted(text, SENTENCE_BYTES + pen.room.nameBytes)}</p></li>`;
  const ended =
    resolvedMs === null
      ? ''
      : line('resolved', resolvedMs, endOf(outage, formats.duration(resolvedMs - startedMs), words));
  const began = line('investigating', startedMs, beginOf(outage, words));
  const title = fitted(outageTitle(outage, words), pen.room.nameBytes);
  return `${titleRow(title, resolvedMs === null ? 'investigating' : 'resolved', pen)}<ol>${ended}${began}</ol>`;
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
