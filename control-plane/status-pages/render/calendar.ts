import { calendarText } from '../../maintenance/calendar.js';
import type { PageModel } from '../compile/model.js';
import { type PageLanguage, WORDS } from '../words/languages.js';
import { createFormats } from './formats.js';

/** Returns the maintenance of a page that is under way or ahead, for calendar programs. `url` is the address of the page. */
export function maintenanceCalendar(model: PageModel, language: PageLanguage, url: string): string {
  const words = WORDS[language];
  const formats = createFormats(language, model.timeZone, words);
  return calendarText({
    name: `${model.title}: ${words.maintenance}`,
    events: model.maintenance.map(({ id, startsMs, endsMs, components }) => ({
      uid: `${id}@picket`,
      startsMs,
      endsMs,
      summary: `${words.maintenance}: ${formats.list(components)}`,
      description: model.title,
      url,
      changedMs: model.asOfMs,
      sequence: 0,
    })),
  });
}
