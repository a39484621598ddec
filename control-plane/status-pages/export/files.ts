import type { PageModel } from '../compile/model.js';
import { atomFeed } from '../render/atom.js';
import { badge } from '../render/badge.js';
import { maintenanceCalendar } from '../render/calendar.js';
import { htmlPage } from '../render/html.js';
import { jsonPage } from '../render/json.js';
import { LANGUAGES, type PageLanguage } from '../words/languages.js';

/** The language of what has no language in its name. */
const LANGUAGE: PageLanguage = 'en';
/** A file cannot take an address. */
const LINKS = { feed: 'feed.atom', calendar: 'maintenance.ics', json: 'status.json', logo: null, subscribe: null };
/** The time at which a calendar was written, which is all that is new in one without changes. */
const STAMP = /^DTSTAMP:.*$/gm;

/** One file of an exported page. */
export interface ExportedFile {
  /** Below the folder of the page, with `/`. */
  path: string;
  body: string;
  /** The same as long as the file need not be written again. */
  sameAs: string;
}

/** Returns the files of a page. `url` is where the live page is, `idUrl` begins the ids of its feed. Pure. */
export function exportedFiles(
  model: PageModel,
  { url, idUrl, canonical }: { url: string; idUrl: string; canonical: string },
): ExportedFile[] {
  const nameIn = (language: PageLanguage) => `index.${language}.html`;
  const links = { ...LINKS, canonical };
  const page = (language: PageLanguage) => htmlPage(model, language, links, { nameIn }).html;
  const feed = atomFeed(model, LANGUAGE, { idUrl, url, feedUrl: `${url}/feed.atom` });
  const calendar = maintenanceCalendar(model, LANGUAGE, url);
  const badges = model.groups.flatMap(({ components }) =>
    components.flatMap(({ id }) => {
      const picture = id === null ? null : badge(model, id, LANGUAGE);
      return picture === null ? [] : [file(`components/${id}/badge.svg`, picture)];
    }),
  );
  return [
    file('index.html', page(LANGUAGE)),
    ...LANGUAGES.map((language) => file(nameIn(language), page(language))),
    file('status.json', jsonPage(model, LANGUAGE, url)),
    file('feed.atom', feed),
    { path: 'maintenance.ics', body: calendar, sameAs: calendar.replace(STAMP, '') },
    file('badge.svg', badge(model, null, LANGUAGE) ?? ''),
    ...badges,
  ];
}

function file(path: string, body: string): ExportedFile {
  return { path, body, sameAs: body };
}
