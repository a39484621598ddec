import type { ClientReport } from '../../api/types.ts';
import { tagsOf } from '../../components/form/tags.ts';
import { type Dates, type Period, periodOf } from './period.ts';
import { SECTIONS, type SectionName } from './sections.ts';

/** What the form of a new report contains. */
export interface ReportForm {
  title: string;
  client: string;
  timeZone: string;
  period: Period;
  dates: Dates;
  sections: Readonly<Record<SectionName, boolean>>;
  hidesEmpty: boolean;
  /** Separated by commas; empty for all monitors. */
  tags: string;
  paperSize: ClientReport['paper_size'];
  color: string;
  /** A `data:` URL; null without one. */
  logo: string | null;
}

/** Returns the form as the API takes it. */
export function reportOf(form: ReportForm, now: Date) {
  const timeZone = form.timeZone.trim();
  const tags = tagsOf(form.tags);
  const choice = form.hidesEmpty ? 'if_data' : true;
  return {
    title: form.title.trim(),
    client_name: form.client.trim(),
    time_zone: timeZone,
    paper_size: form.paperSize,
    branding: { color: form.color, ...(form.logo === null ? {} : { logo: form.logo }) },
    period: periodOf(form.period, form.dates, { now, timeZone }),
    sections: Object.fromEntries(SECTIONS.map((name) => [name, form.sections[name] ? choice : false])),
    ...(tags.length === 0 ? {} : { monitors: { tags } }),
  };
}

/** Returns the same as the query of the preview, without the logo, which no query has room for. */
export function previewQuery(form: ReportForm, now: Date): URLSearchParams {
  const timeZone = form.timeZone.trim();
  const period = periodOf(form.period, form.dates, { now, timeZone });
  const tags = tagsOf(form.tags);
  const sections = SECTIONS.filter((name) => form.sections[name]);
  return new URLSearchParams({
    title: form.title.trim(),
    client_name: form.client.trim(),
    time_zone: timeZone,
    color: form.color,
    paper_size: form.paperSize,
    hide_empty: String(form.hidesEmpty),
    ...period,
    ...(tags.length === 0 ? {} : { tags: tags.join(',') }),
    ...(sections.length === 0 ? {} : { sections: sections.join(',') }),
  });
}
