import { type Static, Type } from 'typebox';
import { FieldErrorSchema, FieldErrors } from '../http/input/field-error-schema.js';
import { IMPORT_EXAMPLE } from './examples.js';

const EXPORT_FORMATS = ['yaml', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const ExportQuery = Type.Object(
  {
    format: Type.Optional(Type.Enum(EXPORT_FORMATS, { default: 'yaml' })),
    secrets: Type.Optional(
      Type.Enum(['mask', 'include'], {
        default: 'mask',
        description:
          '`mask`: `***` replaces header values, request bodies, and user names and passwords in URLs. `include`: the file contains them; requires the scope `monitors:write`.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ExportQuery = Static<typeof ExportQuery>;

export const ImportQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Returns what would change and writes nothing.' }),
    ),
  },
  { additionalProperties: false },
);
export type ImportQuery = Static<typeof ImportQuery>;

const ImportedMonitor = Type.Object(
  {
    name: Type.String(),
    action: Type.Enum(['created', 'updated', 'unchanged', 'refused']),
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'null for a refused monitor, and for a new monitor in a dry run.',
    }),
    changes: Type.Array(Type.String(), { description: 'Fields that differ, of an updated monitor.' }),
    reasons: Type.Array(Type.String(), { description: 'Why the monitor is refused.' }),
    errors: FieldErrors,
    notes: Type.Array(Type.String(), { description: 'Settings that could not be imported exactly.' }),
    warnings: Type.Array(FieldErrorSchema, { description: 'The same as `notes`, by field and for programs.' }),
  },
  { additionalProperties: false },
);

export const ImportReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    format: Type.Enum(['picket', 'uptime-kuma']),
    summary: Type.Object(
      { created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer(), refused: Type.Integer() },
      { additionalProperties: false },
    ),
    monitors: Type.Array(ImportedMonitor, { description: 'In the order of the file.' }),
  },
  { additionalProperties: false, title: 'ImportReport', examples: [IMPORT_EXAMPLE] },
);
export type ImportReport = Static<typeof ImportReport>;
