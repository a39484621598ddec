import { type TSchema, Type } from 'typebox';
import type { BucketRate } from '../../kernel/buckets/token-bucket.js';
import { createTokenBuckets } from '../../kernel/buckets/token-buckets.js';
import { createTurns } from '../../kernel/concurrency/turns.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { requireScope } from '../http/access.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { MonitorDocument } from '../monitors/documents.js';
import { shownSettings } from '../monitors/monitors.js';
import { EXPORT_MEDIA_TYPES, exportMonitors } from './export.js';
import { importMonitors } from './import.js';
import { createImportFileReader } from './import-file.js';
import { createImportLimit, tooLong } from './import-limit.js';
import type { TransferNeeds } from './needs.js';
import { IMPORT_MONITORS_MAX } from './portable.js';
import { type ExportFormat, ExportQuery, ImportQuery, ImportReport } from './schema.js';
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

/** Exports of a workspace. Ten thousand monitors take up to two seconds of the processor. */
const EXPORTS: BucketRate = { burst: 10, perSecond: 0.1 };

/** How long an import works until others get a turn. */
const TURN_MS = 10;

/** Returns the routes that export and import the monitors of a workspace. */
export function createTransferRoutes(needs: TransferNeeds): Route[] {
  const exports = createTokenBuckets(EXPORTS, needs.clock);
  const nextTurn = createTurns();
  const readFile = createImportFileReader();
  const imports = createImportLimit(needs);
  const readYaml = createYamlReader(needs);
  return [
    readRoute({
      method: 'GET',
      path: '/v1/monitors/export',
      access: 'monitors:read',
      tag: 'Monitors',
      summary: 'Export all monitors as a file',
      description:
        '`{version: 1, monitors: [...]}`, the oldest monitor first: the settings that create each monitor, without id and state. Fields with their default value are omitted. Importing an unchanged file changes nothing, and `***` in it keeps the stored secrets. A workspace can be exported ten times at once and six times a minute in the long run; beyond that the response is 429.',
      query: ExportQuery,
      replies: { 200: null },
      rawTypes: Object.values(EXPORT_MEDIA_TYPES).map((type) => type.split(';', 1)[0] ?? type),
      async handle({ actor, query }) {
        if (query.secrets === 'include') requireScope(actor, 'monitors:write');
        const settings = query.secrets === 'include' ? needs.monitors.settings : shownSettings<MonitorDocument>;
        const { workspaceId } = actor;
        const { format = 'yaml' } = query;
        refuseTooMany(exports.tryTake(workspaceId, 1));
        if (query.secrets === 'include') await recordSecrets(needs, actor, format);
        return exportMonitors(needs.monitors, nextTurn, { workspaceId, format, settings });
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/monitors/import',
      access: 'monitors:write',
      tag: 'Monitors',
      summary: 'Import monitors from a file',
      description:
        'Accepts JSON or YAML of up to 1 MiB and 2,000 monitors. A control plane reads one YAML file at a time; a few others wait for their turn, and more are answered with 429. Entries are matched with existing monitors by name. Monitors that are not in the file stay unchanged. Fields that an entry omits get their default. `***` keeps the secret of an existing monitor, and is refused for a new one. Everything is written in one transaction. In a Picket file, one invalid entry refuses the whole file (422, or 402 when the plan does not allow it). Of an Uptime Kuma backup, monitors that Picket does not support are skipped. `dry_run=true` returns what would happen, including refusals, and writes nothing.',
      query: ImportQuery,
      body: ImportBody,
      textBody: {
        types: YAML_TYPES,
        read: (receive, { actor: { workspaceId, plan }, gone }) => readYaml(receive, { workspaceId, plan, gone }),
      },
      replies: { 200: ImportReport },
      errors: ['plan_limit'],
      isDryRun: ({ query }) => query.dry_run === true,
      handle({ actor, query, body, gone }, tx) {
        const { workspaceId, plan } = actor;
        const isDryRun = query.dry_run ?? false;
        return imports.run({ workspaceId, plan, gone, tooLong: tooLong(isDryRun) }, async (signal) => {
          let turnMs = needs.clock.monotonic();
          const turn = async () => {
            // By time: on a busy control plane a turn takes milliseconds, and most parts take none.
            if (needs.clock.monotonic() - turnMs >= TURN_MS) {
              await nextTurn();
              turnMs = needs.clock.monotonic();
            }
            signal.throwIfAborted();
          };
          const file = await readFile(body, turn);
          return { status: 200, data: await importMonitors(needs, tx, actor, { file, isDryRun, turn }) };
        });
      },
    }),
  ];
}

function refuseTooMany(waitMs: number): void {
  if (waitMs === 0) return;
  const waitS = Math.ceil(waitMs / 1_000);
  throw new AppError('rate_limited', `This workspace has been exported too often. Retry in ${waitS} s.`, {
    headers: { 'Retry-After': String(waitS) },
  });
}

/** Who has a copy of all secrets is on record before the file is sent. */
function recordSecrets({ audit, runTransaction }: TransferNeeds, actor: Actor, format: ExportFormat): Promise<void> {
  const resource = { type: 'workspace', id: actor.workspaceId, name: actor.workspaceName };
  return runTransaction((tx) =>
    audit.record(tx, actor, { action: 'monitor.secrets_exported', resource, metadata: { format } }),
  );
}
