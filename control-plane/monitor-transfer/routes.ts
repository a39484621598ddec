import { type TSchema, Type } from 'typebox';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { MonitorContext } from '../monitors/context.js';
import { EXPORT_MEDIA_TYPES, exportMonitors } from './export.js';
import { importMonitors } from './import.js';
import { createImportFileReader } from './import-file.js';
import { ExportQuery, ImportQuery, ImportReport } from './schema.js';
import { readYamlFile } from './yaml-file.js';

/** Levels of a file in which text is taken as it stands; its own schema judges it later. */
const VERBATIM_LEVELS = 6;

/** Any JSON, with its text untrimmed: a keyword or a body may begin with a space. */
function anything(levels: number): TSchema {
  if (levels === 0) return Type.Unsafe({ verbatim: true });
  return Type.Unsafe({ verbatim: true, additionalProperties: anything(levels - 1), items: anything(levels - 1) });
}

/** Either kind of file; `import-file.ts` tells them apart and judges each entry. */
const ImportBody = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: anything(VERBATIM_LEVELS),
  description:
    'A file as `GET /v1/monitors/export` gives it, `{version: 1, monitors: [...]}` with entries as in monitor creation and `paused`, or an Uptime Kuma backup with its `monitorList`.',
  examples: [
    { version: 1, monitors: [{ name: 'Shop', url: 'https://shop.example.com/', type: 'http' }] },
    { version: '1.23.16', monitorList: [{ name: 'Shop', type: 'http', url: 'https://shop.example.com/' }] },
  ],
});

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

/** Export and import of a workspace's monitors. */
export function createTransferRoutes(context: MonitorContext): Route[] {
  const readFile = createImportFileReader();
  // The handler runs anew after a write conflict; the text is the same and need not be read again.
  const parsed = new WeakMap<object, Promise<unknown>>();

  function fromYaml(text: { content: string }): Promise<unknown> {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const reading = readYamlFile(text.content, context.clock);
    parsed.set(text, reading);
    return reading;
  }

  return [
    readRoute({
      method: 'GET',
      path: '/v1/monitors/export',
      access: 'monitors:read',
      tag: 'Monitors',
      summary: 'Export all monitors as a file',
      description:
        '`{version: 1, monitors: [...]}`, oldest first: what creates each monitor, without id and state. Members at their default are left out. A file that is imported again unchanged changes nothing.',
      query: ExportQuery,
      replies: { 200: null },
      rawTypes: Object.values(EXPORT_MEDIA_TYPES).map((type) => type.split(';', 1)[0] ?? type),
      handle: async ({ actor, query }) => exportMonitors(context.store, actor.workspaceId, query.format ?? 'yaml'),
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/monitors/import',
      access: 'monitors:write',
      tag: 'Monitors',
      summary: 'Import monitors from a file',
      description:
        'Takes JSON or YAML of up to 1 MiB and 2,000 monitors. Entries are matched with monitors by name; monitors that the file does not name stay as they are, and what an entry leaves out gets its default. All is written in one transaction: in a Picket file one bad entry refuses the whole (422, or 402 over the plan), of an Uptime Kuma backup the monitors that Picket does not have are left out one by one. `dry_run=true` reports what would happen, refusals included.',
      query: ImportQuery,
      body: ImportBody,
      textTypes: YAML_TYPES,
      replies: { 200: ImportReport },
      errors: ['plan_limit'],
      async handle({ actor, query, body, text }, tx) {
        const file = readFile(text === null ? body : await fromYaml(text));
        return { status: 200, data: await importMonitors(context, tx, actor, file, query.dry_run ?? false) };
      },
    }),
  ];
}
