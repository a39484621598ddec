import { type Static, Type } from 'typebox';
import { invalidField } from '../../errors.js';
import { idsOf, MonitorIds } from '../../monitors/ids-query.js';
import { TAG_CHARS_MAX } from '../../monitors/schema.js';
import type { ReportOrder } from '../documents.js';
import { orderOf } from '../order.js';
import { QUERY_PATHS } from '../period.js';
import { CreateReport, TAGS_MAX } from '../schema.js';
import { SECTIONS } from '../sections.js';

const NAME = `(?:${SECTIONS.join('|')})`;
const { title, client_name, period, time_zone, branding, paper_size } = CreateReport.properties;

/** The fields of a new report as a query, so that a page can be opened by its address. */
export const PreviewQuery = Type.Object(
  {
    title,
    client_name,
    time_zone,
    paper_size,
    from: Type.Optional(period.properties.from),
    to: Type.Optional(period.properties.to),
    sections: Type.Optional(
      Type.String({
        pattern: `^${NAME}(,${NAME}){0,${SECTIONS.length - 1}}$`,
        maxLength: 200,
        description: 'Names of sections, separated by commas. Defaults to all.',
        examples: ['executive_summary,alerts'],
      }),
    ),
    hide_empty: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Leaves out sections without data, like `if_data` for each of them.',
      }),
    ),
    monitors: Type.Optional(MonitorIds),
    tags: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TAGS_MAX * (TAG_CHARS_MAX + 1),
        description: `Tags of monitors, separated by commas, at most ${TAGS_MAX}.`,
        examples: ['shop'],
      }),
    ),
    color: branding.properties.color,
  },
  { additionalProperties: false },
);
type PreviewQuery = Static<typeof PreviewQuery>;

/** Returns what the query means. Throws 422. */
export function orderOfQuery(query: PreviewQuery, nowMs: number): ReportOrder {
  const { from, to, sections, hide_empty = false, monitors, tags, color, ...rest } = query;
  const named = sections?.split(',') ?? SECTIONS;
  const choice = hide_empty ? ('if_data' as const) : true;
  return orderOf(
    {
      ...rest,
      sections: Object.fromEntries(SECTIONS.map((name) => [name, named.includes(name) ? choice : false])),
      ...(from === undefined && to === undefined ? {} : { period: { from: given(from, 'from'), to: given(to, 'to') } }),
      ...(color === undefined ? {} : { branding: { color } }),
      ...(monitors === undefined && tags === undefined
        ? {}
        : {
            monitors: {
              ids: monitors === undefined ? [] : idsOf(monitors),
              tags: tags === undefined ? [] : tagsOf(tags),
            },
          }),
    },
    nowMs,
    QUERY_PATHS,
  );
}

function given(time: string | undefined, name: 'from' | 'to'): string {
  if (time === undefined)
    throw invalidField(`/query/${name}`, 'is required with the other end of the period', 'needs_field');
  return time;
}

function tagsOf(parameter: string): string[] {
  const tags = [...new Set(parameter.split(','))].map((tag) => tag.trim()).filter(Boolean);
  if (tags.length > TAGS_MAX) throw invalidField('/query/tags', `must have at most ${TAGS_MAX} tags`);
  return tags;
}
