import { toIso } from '../../../kernel/clock.js';
import { fitted } from '../../on-call/page/fitted.js';
import type { PageModel } from '../compile/model.js';
import { type PageLanguage, WORDS } from '../words/languages.js';
import { writtenIncidents } from './entries.js';
import { createFormats } from './formats.js';

const ENTRIES_MAX = 50;
const TEXT_BYTES_MAX = 20_000;

/**
 * Returns the feed of a page (RFC 4287): an entry for each update of an incident, the newest first. Its id never changes, so that
 * a reader shows each once, under whichever of its names the page is read: `idUrl` begins the ids, `url` is the address of the page,
 * and `feedUrl` the one of the feed.
 */
export function atomFeed(
  model: PageModel,
  language: PageLanguage,
  { idUrl, url, feedUrl }: { idUrl: string; url: string; feedUrl: string },
): string {
  const words = WORDS[language];
  const formats = createFormats(language, model.timeZone, words);
  const address = fitted(url, TEXT_BYTES_MAX);
  const idAddress = fitted(idUrl, TEXT_BYTES_MAX);
  const entries = writtenIncidents(model, { words, formats })
    .flatMap((incident) => incident.updates.map((update) => ({ ...update, incident })))
    .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
    .slice(0, ENTRIES_MAX)
    .map(({ id, state, text, atMs, editedMs, incident }) => {
      const title = `${words.incidentStates[state]}: ${incident.title}`;
      return `<entry>
<id>${idAddress}#${id}</id>
<title>${fitted(title, TEXT_BYTES_MAX)}</title>
<link rel="alternate" href="${address}"/>
<published>${toIso(atMs)}</published>
<updated>${toIso(editedMs ?? atMs)}</updated>
<content type="text">${fitted(text, TEXT_BYTES_MAX)}</content>
</entry>`;
    });
  const newestMs = Math.max(0, ...updatesOf(model));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${idAddress}</id>
<title>${fitted(model.title, TEXT_BYTES_MAX)}</title>
<author><name>${fitted(model.title, TEXT_BYTES_MAX)}</name></author>
<link rel="alternate" href="${address}"/>
<link rel="self" href="${fitted(feedUrl, TEXT_BYTES_MAX)}"/>
<updated>${toIso(newestMs === 0 ? model.createdMs : newestMs)}</updated>
${entries.join('\n')}
</feed>
`;
}

function updatesOf({ notices, outages }: PageModel): number[] {
  return [
    ...notices.flatMap(({ updates }) => updates.map(({ atMs, editedMs }) => editedMs ?? atMs)),
    ...outages.map(({ startedMs, resolvedMs }) => resolvedMs ?? startedMs),
  ];
}
