import { type Static, Type } from 'typebox';
import { IMPORT_EXAMPLE } from '../monitors/examples.js';

export const EXPORT_FORMATS = ['yaml', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const ExportQuery = Type.Object(
  { format: Type.Optional(Type.Enum(EXPORT_FORMATS, { default: 'yaml' })) },
  { additionalProperties: false },
);
export type ExportQuery = Static<typeof ExportQuery>;

export const ImportQuery = Type.Object(
  {
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Says what would change and writes nothing.' })),
  },
  { additionalProperties: false },
);
export type ImportQuery = Static<typeof ImportQuery>;

const ImportedMonitor = Type.Object(
  {
    name: Type.String(),
    action: Type.Enum(['created', 'updated', 'unchanged', 'refused']),
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'null when refused, and in a dry run when it would be created.',
    }),
    changes: Type.Array(Type.String(), { description: 'Members that differ, when updated.' }),
    reasons: Type.Array(Type.String(), { description: 'Why it is refused.' }),
    notes: Type.Array(Type.String(), { description: 'What could not be taken over exactly.' }),
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
