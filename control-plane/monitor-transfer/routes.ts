import { type TSchema, Type } from 'typebox';
import { requireScope } from '../http/access.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { MonitorDocument } from '../monitors/documents.js';
import { masked } from '../monitors/monitors.js';
import { EXPORT_MEDIA_TYPES, exportMonitors } from './export.js';
import { importMonitors } from './import.js';
import { createImportFileReader } from './import-file.js';
import type { TransferNeeds } from './needs.js';
import { IMPORT_MONITORS_MAX } from './portable.js';
import { ExportQuery, ImportQuery, ImportReport } from './schema.js';
import { createYamlReader } from './yaml-file.js';

/** Levels of a file in which text is not trimmed; the schema of the entries validates it later. */
const VERBATIM_LEVELS = 6;

/** A backup of Uptime Kuma has about ten. */
const FILE_FIELDS_MAX = 50;

/** Returns a schema of any JSON that keeps text untrimmed: a keyword or a body may begin with a space. */
function anyJson(levels: number): TSchema {
  if (levels === 0) return Type.Unsafe({ verbatim: true });
  return Type.Unsafe({ verbatim: true, additionalProperties: anyJson(levels - 1), items: anyJson(levels - 1) });
}

/** Either kind of file; `import-file.ts` detects the kind and validates each entry. */
const ImportBody = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: FILE_FIELDS_MAX,
  additionalProperties: {
    ...anyJson(VERBATIM_LEVELS),
    maxItems: IMPORT_MONITORS_MAX,
    maxProperties: IMPORT_MONITORS_MAX,
  },
  description:
    'A file from `GET /v1/monitors/export`: `{version: 1, monitors: [...]}`. Its entries have the fields of monitor creation, and `paused`. Or an Uptime Kuma backup with its `monitorList`.',
  examples: [
    { version: 1, monitors: [{ name: 'Shop', url: 'https://shop.example.com/', type: 'http' }] },
    { version: '1.23.16', monitorList: [{ name: 'Shop', type: 'http', url: 'https://shop.example.com/' }] },
  ],
});

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

/** Returns the routes that export and import the monitors of a workspace. */
export function createTransferRoutes(needs: TransferNeeds): Route[] {
  const readFile = createImportFileReader();
  const readYaml = createYamlReader(needs);
  return [
    readRoute({
      method: 'GET',
      path: '/v1/monitors/export',
      access: 'monitors:read',
      tag: 'Monitors',
      summary: 'Export all monitors as a file',
      description:
        '`{version: 1, monitors: [...]}`, the oldest monitor first: the settings that create each monitor, without id and state. Fields with their default value are omitted. Importing an unchanged file changes nothing, and `***` in it keeps the stored secrets.',
      query: ExportQuery,
      replies: { 200: null },
      rawTypes: Object.values(EXPORT_MEDIA_TYPES).map((type) => type.split(';', 1)[0] ?? type),
      async handle({ actor, query }) {
        if (query.secrets === 'include') requireScope(actor, 'monitors:write');
        const settings = query.secrets === 'include' ? needs.monitors.settings : masked<MonitorDocument>;
        return exportMonitors(needs.monitors, settings, actor.workspaceId, query.format ?? 'yaml');
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/monitors/import',
      access: 'monitors:write',
      tag: 'Monitors',
      summary: 'Import monitors from a file',
      description:
        'Accepts JSON or YAML of up to 1 MiB and 2,000 monitors. A control plane reads two YAML files at a time and answers 429 to more. Entries are matched with existing monitors by name. Monitors that are not in the file stay unchanged. Fields that an entry omits get their default. `***` keeps the secret of an existing monitor, and is refused for a new one. Everything is written in one transaction. In a Picket file, one invalid entry refuses the whole file (422, or 402 when the plan does not allow it). Of an Uptime Kuma backup, monitors that Picket does not support are skipped. `dry_run=true` returns what would happen, including refusals, and writes nothing.',
      query: ImportQuery,
      body: ImportBody,
      textBody: { types: YAML_TYPES, parse: readYaml },
      replies: { 200: ImportReport },
      errors: ['plan_limit'],
      handle: async ({ actor, query, body }, tx) => ({
        status: 200,
        data: await importMonitors(needs, tx, actor, readFile(body), query.dry_run ?? false),
      }),
    }),
  ];
}
