import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { ComponentModel, PageModel } from '../compile/model.js';
import { type PageLanguage, WORDS } from '../words/languages.js';
import type { PageWords } from '../words/words.js';
import { type WrittenIncident, writtenIncidents } from './entries.js';
import { createFormats } from './formats.js';
import { overallText, stateText } from './said.js';

/** Returns what the page says, for programs. */
export function jsonPage(model: PageModel, language: PageLanguage, url: string): string {
  const words = WORDS[language];
  const formats = createFormats(language, model.timeZone, words);
  return JSON.stringify({
    page: {
      title: model.title,
      description: model.description,
      url,
      time_zone: model.timeZone,
      as_of: toIso(model.asOfMs),
    },
    status: { state: model.state, text: overallText(model, words) },
    groups: model.groups.map(({ name, components }) => ({
      name,
      components: components.map((component) => componentOf(component, model, words)),
    })),
    incidents: writtenIncidents(model, { words, formats }).map(incidentOf),
    maintenance: model.maintenance.map(({ startsMs, endsMs, isActive, components }) => ({
      state: isActive ? 'active' : 'planned',
      starts_at: toIso(startsMs),
      ends_at: toIso(endsMs),
      components,
    })),
  });
}

function componentOf(component: ComponentModel, { dates }: PageModel, words: PageWords) {
  const { id, name, description, state, proportion, ...figures } = component;
  return {
    id,
    name,
    description,
    state,
    text: stateText(component, words),
    down: proportion === null || proportion.isMore ? null : { count: proportion.down, of: proportion.of },
    uptime: figures.uptime,
    coverage: figures.days === null ? null : figures.coverage,
    days: figures.days?.map(({ uptime, coverage }, day) => ({ date: dates[day], uptime, coverage })) ?? null,
  };
}

function incidentOf({ id, title, state, components, startedMs, resolvedMs, updates }: WrittenIncident) {
  return {
    id,
    title,
    state,
    started_at: toIso(startedMs),
    resolved_at: isoOrNull(resolvedMs),
    components,
    updates: updates.map(({ atMs, editedMs, ...update }) => ({
      id: update.id,
      state: update.state,
      text: update.text,
      at: toIso(atMs),
      edited_at: isoOrNull(editedMs),
    })),
  };
}
