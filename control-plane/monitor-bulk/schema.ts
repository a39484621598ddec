import { type Static, Type } from 'typebox';
import { FieldErrors } from '../http/input/field-error-schema.js';
import { nullable } from '../http/input/nullable.js';
import { NO_CONTROLS_PATTERN } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { CreateMonitor, UpdateMonitor } from '../monitors/monitors.js';
import { MONITOR_TYPES, MonitorId, NAME_CHARS_MAX, TAGS_MAX, Tag, Timestamp } from '../monitors/schema.js';
import { idPattern } from '../storage/ids.js';
import { BULK_CHANGE_EXAMPLE, BULK_PREVIEW_EXAMPLE } from './examples.js';

/** Monitors of one bulk change. */
export const BULK_MONITORS_MAX = 10_000;
/** Monitors that one bulk change adds, in one transaction. */
const BULK_ADDED_MAX = 2_000;
/** Groups of equal changes in a preview and in a job. */
export const BULK_GROUPS_MAX = 20;
/** Monitors that every reply names, so that a person knows a small change by them. */
export const BULK_FIRST_NAMED_MAX = 3;
/** Monitors that a reply names because a change or its undo did not do all of it. */
export const BULK_NAMED_MAX = 50;
const ROWS_DEFAULT = 50;
const BULK_ROWS_MAX = 200;
/** Six bytes for each monitor, in base64, and a head. */
const FINGERPRINT_CHARS_MAX = 8 * BULK_MONITORS_MAX + 100;

export const OPERATIONS = ['set', 'add_tags', 'remove_tags', 'pause', 'resume', 'delete', 'add'] as const;
export type OperationType = (typeof OPERATIONS)[number];

const EXAMPLE_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
const Ids = (description: string) =>
  Type.Array(MonitorId.properties.id, { maxItems: BULK_MONITORS_MAX, description, examples: [[EXAMPLE_ID]] });

const { name: _name, url: _url, type: _type, ...settable } = UpdateMonitor.properties;
/** What can be the same for many monitors. */
const BulkFields = Type.Object(settable, {
  additionalProperties: false,
  description:
    'For `set`: the fields of monitor updates except `name`, `url` and `type`. Only the fields you send are updated.',
  examples: [{ interval_seconds: 30 }],
});

export const BulkRequest = Type.Object(
  {
    operation: Type.Enum(OPERATIONS, {
      description:
        '`set` updates the fields in `set`, `add_tags` and `remove_tags` change only the tags in `tags`, `add` creates the monitors in `monitors`.',
    }),
    ids: Type.Optional(Ids('The monitors to change. Ids that do not exist are counted in `not_found`.')),
    filter: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(Type.Enum(['up', 'down', 'paused'])),
          type: Type.Optional(Type.Enum(MONITOR_TYPES)),
          q: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_CHARS_MAX, pattern: NO_CONTROLS_PATTERN })),
          tag: Type.Optional(Tag),
        },
        {
          additionalProperties: false,
          description: 'Instead of `ids`: the monitors that `GET /v1/monitors` finds with it. `{}` means all monitors.',
        },
      ),
    ),
    except: Type.Optional(Ids('With `filter`: monitors that are not changed.')),
    set: Type.Optional(BulkFields),
    tags: Type.Optional(Type.Array(Tag, { minItems: 1, maxItems: TAGS_MAX })),
    monitors: Type.Optional(
      Type.Array(CreateMonitor, { minItems: 1, maxItems: BULK_ADDED_MAX, description: 'For `add`.' }),
    ),
    detach: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'For `delete`: also removes the monitors from everything that names them. Without it, the response is then 409. An undo does not bring that back.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Returns what would change, and changes nothing.' }),
    ),
    fingerprint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: FINGERPRINT_CHARS_MAX,
        pattern: '^[A-Za-z0-9_-]+$',
        description:
          'From the dry run. Then the change is refused with 412 if a monitor has changed since, or if the request is another one.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: BULK_ROWS_MAX,
        default: ROWS_DEFAULT,
        description: 'Rows of a dry run.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: BULK_MONITORS_MAX, default: 0, description: 'First row of a dry run.' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'BulkRequest',
    examples: [
      { operation: 'set', filter: { tag: 'production' }, set: { interval_seconds: 30 }, dry_run: true },
      { operation: 'pause', ids: [EXAMPLE_ID] },
      { operation: 'add', monitors: [{ name: 'Shop', url: 'https://shop.example.com/', type: 'http' }] },
    ],
  },
);
export type BulkRequest = Static<typeof BulkRequest>;

/** A value of a setting: secrets are left out. */
const Shown = Type.Unsafe<unknown>({ description: 'Any JSON value.' });

const BulkGroup = Type.Object(
  { field: Type.String(), from: Shown, to: Shown, monitors: Type.Integer() },
  { additionalProperties: false, description: 'Monitors of which the same field changes in the same way.' },
);
export interface BulkGroup extends Static<typeof BulkGroup> {}

const Row = Type.Object(
  {
    id: nullable(Type.String()),
    name: Type.String(),
    result: Type.Enum(['changed', 'refused']),
    changes: Type.Record(Type.String(), Type.Object({ from: Shown, to: Shown }, { additionalProperties: false }), {
      description: 'The changed fields. Header values, bodies and passwords are left out.',
    }),
    reasons: Type.Array(Type.String(), { description: 'Why the change is refused.' }),
    errors: FieldErrors,
  },
  { additionalProperties: false },
);
export type BulkRow = Static<typeof Row>;

const Alerts = Type.Object(
  {
    basis: Type.Enum(['replayed', 'stopped', 'same', 'unknown'], {
      description:
        '`replayed`: stored results were evaluated with the new settings. `stopped`: monitors that are not checked have no alerts. `same`: the operation does not affect which alerts there are. `unknown`: stored results cannot show it.',
    }),
    from: Timestamp,
    to: Timestamp,
    were: Type.Integer({ description: 'Alerts of all changed monitors that were opened in this time.' }),
    tested_were: Type.Integer({ description: 'The same of the tested monitors.' }),
    tested_would_have_been: nullable(
      Type.Integer({ description: 'Alerts that the tested monitors would have had. null if `basis` is `unknown`.' }),
    ),
    monitors_tested: Type.Integer(),
    complete: Type.Boolean({
      description: 'false: the time was not enough for all monitors. Those with the most alerts were tested first.',
    }),
  },
  { additionalProperties: false },
);
export type BulkAlerts = Static<typeof Alerts>;

export const BulkPreview = Type.Object(
  {
    dry_run: Type.Literal(true),
    operation: Type.Enum(OPERATIONS),
    fingerprint: Type.String(),
    selected: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer({ description: 'The change can be applied only if this is 0.' }),
    not_found: Type.Integer(),
    groups: Type.Array(BulkGroup, {
      description: `The most frequent changes, at most ${BULK_GROUPS_MAX}.`,
    }),
    rows: Type.Array(Row, { description: 'Changed and refused monitors, the refused ones first.' }),
    next_offset: nullable(Type.Integer({ description: '`offset` of the next rows.' })),
    alerts: Type.Union([Alerts, Type.Null()], {
      description: 'null without the scope `alerts:read`, and with an `offset`: only the first page has it.',
    }),
  },
  { additionalProperties: false, title: 'BulkPreview', examples: [BULK_PREVIEW_EXAMPLE] },
);
export type BulkPreview = Static<typeof BulkPreview>;

const Named = Type.Object(
  { id: Type.String(), name: Type.String(), reason: Type.String(), errors: FieldErrors },
  { additionalProperties: false },
);

export const BulkChange = Type.Object(
  {
    id: Type.String({ examples: ['blk_01kf5e6q0h3v8r2m9x4t7c1z5n'] }),
    operation: Type.Enum(OPERATIONS),
    fields: Type.Array(Type.String(), { description: 'The fields that `set` updates.' }),
    tags: Type.Array(Type.String()),
    groups: Type.Array(BulkGroup),
    state: Type.Enum(['applying', 'applied', 'undoing', 'undone']),
    total: Type.Integer({ description: 'Monitors of the change.' }),
    not_found: Type.Integer({ description: 'Ids of the request that are of no monitor.' }),
    names: Type.Array(Type.String(), {
      description: `The names of its first monitors when it was requested, at most ${BULK_FIRST_NAMED_MAX}.`,
    }),
    done: Type.Integer({ description: 'Monitors that the current phase has worked through.' }),
    skipped: Type.Integer({
      description: 'Monitors that somebody deleted, or changed so that the operation no longer fits, in the meantime.',
    }),
    kept: Type.Integer({ description: 'Monitors that the undo did not change.' }),
    without_channels: Type.Integer({
      description: 'Deleted monitors that the undo created again without channels that were deleted in the meantime.',
    }),
    exceptions: Type.Array(Named, {
      description: `Skipped and kept monitors and those of \`without_channels\`, at most ${BULK_NAMED_MAX}. Only for a single change.`,
    }),
    retry_at: Type.Union([Timestamp, Type.Null()], {
      description:
        'While the next monitors cannot be written: when Picket tries again. After about 11 minutes it leaves the rest out. null otherwise.',
    }),
    requested_by: Type.String(),
    requested_at: Timestamp,
    finished_at: nullable(Timestamp),
    undo_until: Type.Union([Timestamp, Type.Null()], {
      description: 'Until when it can be undone; null while it is applied, and once it is undone or this time is over.',
    }),
    undone_by: nullable(Type.String()),
    undone_at: nullable(Timestamp),
  },
  { additionalProperties: false, title: 'BulkChange', examples: [BULK_CHANGE_EXAMPLE] },
);
export type BulkChange = Static<typeof BulkChange>;

export const BulkId = Type.Object(
  { id: Type.String({ pattern: idPattern('blk'), examples: ['blk_01kf5e6q0h3v8r2m9x4t7c1z5n'] }) },
  { additionalProperties: false },
);
export type BulkId = Static<typeof BulkId>;

export const ListBulk = Type.Object(PageParameters, { additionalProperties: false });

export const UndoBulk = Type.Object(
  {
    on_conflict: Type.Optional(
      Type.Enum(['refuse', 'skip', 'overwrite'], {
        default: 'refuse',
        description:
          'If somebody has changed monitors since: `refuse` changes nothing and names them, `skip` leaves these as they are, `overwrite` undoes the change in them too.',
      }),
    ),
  },
  { additionalProperties: false, title: 'UndoBulk', examples: [{ on_conflict: 'skip' }] },
);
export type UndoBulk = Static<typeof UndoBulk>;
