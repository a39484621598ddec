import { sourceOfInline } from '../../http/html/inline-source.js';
import { fitted, isolated } from '../../on-call/page/fitted.js';
import type { ComponentModel, MaintenanceModel, PageModel } from '../compile/model.js';
import { PAST_INCIDENT_DAYS } from '../facts/facts.js';
import { formSection } from '../subscribers/public/form-section.js';
import { type PageLanguage, WORDS } from '../words/languages.js';
import type { PageWords } from '../words/words.js';
import { createBars } from './bars.js';
import { type FileForm, languageLinks, STALE_SCRIPT, staleNotice } from './file-form.js';
import { createFormats } from './formats.js';
import { type HtmlPen, incidentItems, timeHtml } from './incidents.js';
import { fittingPage } from './room.js';
import { overallText, stateText } from './said.js';
import { pageStyle, stateClass } from './style.js';

const TITLE_BYTES_MAX = 600;
const TEXT_BYTES_MAX = 3_000;
/** All of it is in the calendar. */
const MAINTENANCE_SHOWN = 5;
/** Names of components in a row are together as long as so many that stand alone. */
const AFFECTED_NAMES = 5;

/** A page as it is sent. */
export interface HtmlPage {
  html: string;
  contentSecurityPolicy: string;
}

/** Addresses of other forms of a page, as the page links them. */
export interface PageLinks {
  feed: string;
  calendar: string;
  json: string;
  /** The absolute main address of the page, whichever of its addresses was asked for; null for a page with one address. */
  canonical: string | null;
  /** null: the page shows no logo, because it is a file. */
  logo: string | null;
  /** null: nobody can subscribe. */
  subscribe: string | null;
}

/**
 * Returns the whole page, with texts so long that it is small enough. `file`: the page is a file that outlives Picket. It has its
 * content security policy in itself, links its other languages, and says so when it is old.
 */
export function htmlPage(model: PageModel, language: PageLanguage, links: PageLinks, file: FileForm | null): HtmlPage {
  const words = WORDS[language];
  const formats = createFormats(language, model.timeZone, words);
  return fittingPage((room, isCut) =>
    pageWithin(model, { language, links, file, isCut, pen: { words, formats, room } }),
  );
}

function pageWithin(
  model: PageModel,
  as: { language: PageLanguage; links: PageLinks; file: FileForm | null; isCut: boolean; pen: HtmlPen },
): HtmlPage {
  const { language, links, file, isCut, pen } = as;
  const { words } = pen;
  const { description } = model;
  const { open, past } = incidentItems(model, pen);
  const body = [
    '<header>',
    logo(model, links),
    `<h1>${isolated(model.title, TITLE_BYTES_MAX)}</h1>`,
    description === null ? '' : `<p class="soft">${isolated(description, TEXT_BYTES_MAX)}</p>`,
    '</header>\n<main>',
    file === null ? '' : staleNotice(model, language),
    `<p class="overall"><span class="${stateClass(model.state)}">${overallText(model, words)}</span></p>`,
    open.length === 0 ? '' : section(words.currentIncidents, list(open)),
    components(model, pen),
    maintenance(model, pen, links),
    section(
      words.pastIncidents,
      past.length === 0
        ? `<p class="soft">${fitted(words.noPastIncidents(PAST_INCIDENT_DAYS), TEXT_BYTES_MAX)}</p>`
        : list(past),
    ),
    links.subscribe === null ? '' : formSection(language, links.subscribe),
    '</main>',
    `<footer><p>${fitted(words.asOf(pen.formats.time(model.asOfMs), model.timeZone), TEXT_BYTES_MAX)}</p>${isCut ? `<p><a href="${links.json}">${words.allTexts}</a></p>` : ''}<p><a href="${links.feed}">${words.feed}</a></p>${file === null ? '' : languageLinks(file, language)}</footer>`,
  ];
  const canonical =
    links.canonical === null ? '' : `<link rel="canonical" href="${fitted(links.canonical, TEXT_BYTES_MAX)}">\n`;
  const head = `${canonical}<link rel="alternate" type="application/atom+xml" title="${words.feed}" href="${links.feed}">\n`;
  const content = { head, body: body.filter((part) => part !== '').join('\n') };
  const page = { language, title: model.title, accent: model.color, script: file === null ? null : STALE_SCRIPT };
  return framed({ ...page, ...content });
}

/** Returns a page around `body`, which is HTML like `head`. */
export function framed(page: {
  language: PageLanguage;
  title: string;
  accent: string;
  head: string;
  body: string;
  /** Runs after the body, in a page that is a file. */
  script?: string | null;
}): HtmlPage {
  const style = pageStyle(page.accent);
  const { script = null } = page;
  const policy = policyOf(style, script);
  // In a file, there is no header to have it. A frame cannot be forbidden in this way.
  const meta = script === null ? '' : `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">\n`;
  const html = `<!DOCTYPE html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
${meta}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fitted(page.title, TITLE_BYTES_MAX)}</title>
${page.head}<style>${style}</style>
</head>
<body>
${page.body}
${script === null ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
  return { html, contentSecurityPolicy: [...policy, "frame-ancestors 'none'"].join('; ') };
}

/** Allows the style and the script of the page itself, and no picture of others. */
function policyOf(style: string, script: string | null): string[] {
  return [
    "default-src 'none'",
    `style-src ${sourceOfInline(style)}`,
    ...(script === null ? [] : [`script-src ${sourceOfInline(script)}`]),
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ];
}

/** The title below it names the page for those who do not see it. */
function logo({ logo: hash }: PageModel, links: PageLinks): string {
  return hash === null || links.logo === null ? '' : `<img class="logo" src="${links.logo}?v=${hash}" alt="">`;
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>\n${content}</section>`;
}

function list(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

function components(model: PageModel, pen: HtmlPen): string {
  const { words, room } = pen;
  const groups = model.groups.filter(({ components: own }) => own.length > 0);
  if (groups.length === 0) return '';
  const bars = createBars(model, words, pen.formats);
  const content = groups.map(({ name, components: own }) => {
    const heading = name === null ? '' : `<h3>${isolated(name, room.nameBytes)}</h3>\n`;
    return heading + list(own.map((component) => componentItem(component, pen, bars)));
  });
  return section(words.components, [...content, key(model, words)].join('\n'));
}

function componentItem(
  component: ComponentModel,
  { words, formats, room }: HtmlPen,
  bars: ReturnType<typeof createBars>,
): string {
  const { name, description, state, uptime, coverage, days } = component;
  const head = `<div><b>${isolated(name, room.nameBytes)}</b><span class="${stateClass(state)}">${stateText(component, words)}</span></div>`;
  const text =
    description === null || room.descriptionBytes === 0
      ? ''
      : `<p class="soft">${isolated(description, room.descriptionBytes)}</p>`;
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

function maintenance({ maintenance: planned }: PageModel, { words, formats, room }: HtmlPen, links: PageLinks): string {
  if (planned.length === 0) return '';
  const item = ({ startsMs, endsMs, isActive, components: names }: MaintenanceModel) => {
    const state = isActive ? words.maintenanceActive : words.maintenancePlanned;
    const time = words.from(timeHtml(startsMs, formats), timeHtml(endsMs, formats));
    const affected = fitted(words.affected(formats.list(names)), AFFECTED_NAMES * room.nameBytes);
    return `<div><b>${time}</b><span class="${stateClass('maintenance')}">${state}</span></div><p class="soft">${affected}</p>`;
  };
  const calendar = `\n<p><a href="${links.calendar}">${words.calendar}</a></p>`;
  return section(words.maintenance, list(planned.slice(0, MAINTENANCE_SHOWN).map(item)) + calendar);
}
