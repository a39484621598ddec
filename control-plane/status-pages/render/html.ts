import { sourceOfInline } from '../../http/html/inline-source.js';
import { fitted, isolated } from '../../on-call/page/fitted.js';
import type { ComponentModel, MaintenanceModel, PageModel } from '../compile/model.js';
import { PAST_INCIDENT_DAYS } from '../facts/facts.js';
import { type PageLanguage, WORDS } from '../words/languages.js';
import type { PageWords } from '../words/words.js';
import { createBars } from './bars.js';
import { createFormats } from './formats.js';
import { incidentItems, type Pen, timeHtml } from './incidents.js';
import { pageStyle, stateClass } from './style.js';

const NAME_BYTES_MAX = 600;
const TEXT_BYTES_MAX = 3_000;

/** A page as it is sent. */
export interface HtmlPage {
  html: string;
  contentSecurityPolicy: string;
}

/** Returns the whole page. `feedPath` is the address of its feed, as the page links it. */
export function htmlPage(model: PageModel, language: PageLanguage, feedPath: string): HtmlPage {
  const words = WORDS[language];
  const pen = { words, formats: createFormats(language, model.timeZone, words) };
  const { description } = model;
  const { open, past } = incidentItems(model, pen);
  const body = [
    `<header><h1>${isolated(model.title, NAME_BYTES_MAX)}</h1>`,
    description === null ? '' : `<p class="soft">${isolated(description, TEXT_BYTES_MAX)}</p>`,
    '</header>\n<main>',
    `<p class="overall"><span class="${stateClass(model.state)}">${words.overall[model.state]}</span></p>`,
    open.length === 0 ? '' : section(words.currentIncidents, list(open)),
    components(model, pen),
    maintenance(model, pen),
    section(
      words.pastIncidents,
      past.length === 0
        ? `<p class="soft">${fitted(words.noPastIncidents(PAST_INCIDENT_DAYS), TEXT_BYTES_MAX)}</p>`
        : list(past),
    ),
    '</main>',
    `<footer><p>${fitted(words.asOf(pen.formats.time(model.asOfMs), model.timeZone), TEXT_BYTES_MAX)}</p><p><a href="${feedPath}">${words.feed}</a></p></footer>`,
  ];
  const head = `<link rel="alternate" type="application/atom+xml" title="${words.feed}" href="${feedPath}">\n`;
  const content = { head, body: body.filter((part) => part !== '').join('\n') };
  return framed({ language, title: model.title, accent: model.color, ...content });
}

/** Returns a page around `body`, which is HTML like `head`. */
export function framed(page: {
  language: PageLanguage;
  title: string;
  accent: string;
  head: string;
  body: string;
}): HtmlPage {
  const style = pageStyle(page.accent);
  const html = `<!DOCTYPE html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fitted(page.title, NAME_BYTES_MAX)}</title>
${page.head}<style>${style}</style>
</head>
<body>
${page.body}
</body>
</html>
`;
  return { html, contentSecurityPolicy: policyOf(style) };
}

/** Allows the style of the page itself, and no script, picture of others or frame. */
function policyOf(style: string): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOfInline(style)}`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>\n${content}</section>`;
}

function list(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

function components(model: PageModel, pen: Pen): string {
  const { words } = pen;
  const groups = model.groups.filter(({ components: own }) => own.length > 0);
  if (groups.length === 0) return '';
  const bars = createBars(model, words, pen.formats);
  const content = groups.map(({ name, components: own }) => {
    const heading = name === null ? '' : `<h3>${isolated(name, NAME_BYTES_MAX)}</h3>\n`;
    return heading + list(own.map((component) => componentItem(component, pen, bars)));
  });
  return section(words.components, [...content, key(model, words)].join('\n'));
}

function componentItem(
  { name, description, state, uptime, coverage, days }: ComponentModel,
  { words, formats }: Pen,
  bars: ReturnType<typeof createBars>,
): string {
  const head = `<div><b>${isolated(name, NAME_BYTES_MAX)}</b><span class="${stateClass(state)}">${words.states[state]}</span></div>`;
  const text = description === null ? '' : `<p class="soft">${isolated(description, TEXT_BYTES_MAX)}</p>`;
  if (days === null) return head + text;
  const figures =
    uptime === null
      ? words.notObserved
      : `${words.uptime(formats.percent(uptime))} · ${words.observed(formats.percent(coverage))}`;
  return `${head}${text}${bars(days)}<small>${figures}</small>`;
}

/** What the bars mean. */
function key({ dates }: PageModel, { legend, daysAgo, today }: PageWords): string {
  const entry = (name: string, text: string) => `<span><i class="k${name}"></i>${text}</span>`;
  const entries = [entry('u', legend.up), entry('s', legend.short), entry('l', legend.long), entry('n', legend.none)];
  return `<div class="ends"><span>${daysAgo(dates.length - 1)}</span><span>${today}</span></div>\n<p class="key">${entries.join('')}</p>`;
}

function maintenance({ maintenance: planned }: PageModel, { words, formats }: Pen): string {
  if (planned.length === 0) return '';
  const item = ({ startsMs, endsMs, isActive, components: names }: MaintenanceModel) => {
    const state = isActive ? words.maintenanceActive : words.maintenancePlanned;
    const time = words.from(timeHtml(startsMs, formats), timeHtml(endsMs, formats));
    const affected = fitted(words.affected(formats.list(names)), TEXT_BYTES_MAX);
    return `<div><b>${time}</b><span class="${stateClass('maintenance')}">${state}</span></div><p class="soft">${affected}</p>`;
  };
  return section(words.maintenance, list(planned.map(item)));
}
