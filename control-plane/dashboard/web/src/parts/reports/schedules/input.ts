import { ApiProblem } from '../../../api/client.ts';
import type { ReportSchedule } from '../../../api/types.ts';
import { isSame } from '../../../components/editing/paths.ts';
import { tagsOf, tagsText } from '../../../components/form/tags.ts';
import type { ReportForm } from '../order.ts';
import { ALL_SECTIONS, SECTIONS } from '../sections.ts';
import { cronOf, type WhenInput, whenOf } from './when.ts';

/** What the form of a schedule has. Recipients and tags are as typed. */
export interface ScheduleInput
  extends Pick<ReportForm, 'title' | 'client' | 'sections' | 'hidesEmpty' | 'tags' | 'paperSize' | 'color' | 'logo'> {
  name: string;
  when: WhenInput;
  time_zone: string;
  period: ReportSchedule['period'];
  recipients: string;
  attach: ReportSchedule['attach'];
  monitors: 'all' | 'chosen';
  /** Monitors that the API named, which stay. */
  monitorIds: string[];
  removesLogo: boolean;
}

export const PERIODS: readonly ReportSchedule['period'][] = [
  ...(['previous_month', 'previous_quarter', 'previous_week', 'last_30_days', 'last_7_days'] as const),
];
export const ATTACH: readonly ReportSchedule['attach'][] = ['pdf', 'link'];

const SEPARATORS = /[\s,;]+/;

/** Returns the form of a new schedule: a report about each month on its first day. */
export function emptySchedule(title: string): ScheduleInput {
  return {
    ...{ name: '', when: whenOf('0 8 1 * *'), time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    ...{ period: 'previous_month', recipients: '', attach: 'pdf', title, client: '', monitors: 'all', monitorIds: [] },
    ...{ tags: '', sections: ALL_SECTIONS, hidesEmpty: true, paperSize: 'A4', color: '#1f4e79', logo: null },
    removesLogo: false,
  };
}

/** Returns the form of a stored schedule. Pure. */
export function inputOf(schedule: ReportSchedule): ScheduleInput {
  const { monitors, sections } = schedule;
  return {
    ...{ name: schedule.name, when: whenOf(schedule.cron), time_zone: schedule.time_zone, period: schedule.period },
    ...{ recipients: schedule.recipients.join('\n'), attach: schedule.attach, title: schedule.title },
    ...{ client: schedule.client_name, monitors: monitors === null ? 'all' : 'chosen' },
    ...{ monitorIds: monitors?.ids ?? [], tags: tagsText(monitors?.tags ?? []) },
    sections: { ...ALL_SECTIONS, ...Object.fromEntries(SECTIONS.map((name) => [name, sections[name] !== false])) },
    hidesEmpty: SECTIONS.some((name) => sections[name] === 'if_data'),
    ...{ paperSize: schedule.paper_size, color: schedule.branding.color, logo: null, removesLogo: false },
  };
}

/** Returns the body that creates a schedule. Throws ApiProblem for a choice of no monitors. */
export function scheduleBody(input: ScheduleInput): Record<string, unknown> {
  const { monitors, ...body } = bodyOf(input);
  refuseNoMonitors(monitors);
  return monitors === null ? body : { ...body, monitors };
}

/** Returns the body that changes what differs from the stored schedule; null if nothing does. Throws like `scheduleBody`. */
export function changedBody(before: ReportSchedule, input: ScheduleInput): Record<string, unknown> | null {
  const was: Record<string, unknown> = bodyOf(inputOf(before));
  const changed = Object.fromEntries(
    Object.entries(bodyOf(input)).filter(([field, value]) => !isSame(value, was[field])),
  );
  if ('monitors' in changed) refuseNoMonitors(changed['monitors']);
  return Object.keys(changed).length === 0 ? null : changed;
}

function bodyOf(input: ScheduleInput) {
  const choice = input.hidesEmpty ? 'if_data' : true;
  const logo = input.logo ?? (input.removesLogo ? null : undefined);
  return {
    name: input.name.trim(),
    cron: cronOf(input.when),
    time_zone: input.time_zone.trim(),
    period: input.period,
    recipients: input.recipients.split(SEPARATORS).filter((address) => address !== ''),
    title: input.title.trim(),
    client_name: input.client.trim(),
    sections: Object.fromEntries(SECTIONS.map((name) => [name, input.sections[name] ? choice : false])),
    monitors: input.monitors === 'all' ? null : { ids: input.monitorIds, tags: tagsOf(input.tags) },
    paper_size: input.paperSize,
    branding: { color: input.color, ...(logo === undefined ? {} : { logo }) },
    attach: input.attach,
  };
}

/** The API accepts an empty choice, because the chosen monitors can be deleted later. The form refuses it. */
function refuseNoMonitors(monitors: unknown): void {
  const { ids = [], tags = [] } = Object(monitors) as { ids?: unknown[]; tags?: unknown[] };
  if (monitors === null || ids.length + tags.length > 0) return;
  const errors = [{ path: '/monitors/tags', code: 'required', message: 'must name a tag' }];
  throw new ApiProblem(422, { code: 'validation_failed', errors }, null);
}
