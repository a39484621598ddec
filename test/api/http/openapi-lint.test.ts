import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { type OpenApi, operationsOf } from '../../helpers/openapi.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri, { PICKET_PUBLIC_URL: 'https://picket.test/' });
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

const LINTER = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
/** The linter must not use the network: neither for usage figures nor to look for a newer version of itself. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const LINT_MS_MAX = 120_000;
/** The linter compares `/v1/monitors/bulk/{id}` with `/v1/monitors/{id}/check`. But no id of a monitor is `bulk`: all begin with `mon_`. */
const DISJOINT_PATHS = [
  '`/v1/monitors/bulk/{id}`',
  '`/v1/servers/join-tokens/{id}`',
  '`/api/v1/wp/admin/sites/{id}`',
  '`/api/v1/client-reports/schedules/{id}`',
  '`/v1/scans/confirmation`',
];

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer: string }[];
}

/** Runs the recommended rules on a document and resolves to what they say. */
async function lint(document: unknown): Promise<string[]> {
  const file = join(t.testdir(), 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const output = await new Promise<string>((resolve) => {
    const args = [LINTER, 'lint', file, '--extends=recommended', '--format=json', '--max-problems=1000'];
    const options = {
      env: { PATH: process.env['PATH'], ...OFFLINE },
      timeout: LINT_MS_MAX,
      maxBuffer: 64 * 1024 * 1024,
    };
    // It ends with 1 when it finds errors. What it prints says more than that.
    execFile(process.execPath, args, options, (_error, stdout) => resolve(stdout));
  });
  const { problems }: { problems: Problem[] } = JSON.parse(output);
  return problems
    .filter(
      ({ ruleId, message }) =>
        ruleId !== 'no-ambiguous-paths' || !DISJOINT_PATHS.some((path) => message.includes(path)),
    )
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

const served = await fetch(`${controlPlane.url}/v1/openapi.json`);
const document: OpenApi = JSON.parse(await served.text());

t.test('the document passes the recommended rules of a linter without a warning', async (t) => {
  t.same(await lint(document), []);
});

t.test('the linter finds an example that its schema does not allow', async (t) => {
  const wrong: OpenApi = structuredClone(document);
  const [, create] = operationsOf(wrong).find(([, { summary }]) => summary === 'Create a monitor') ?? [];
  const body = create?.requestBody?.content['application/json'];
  t.ok(body, 'there is a body to spoil');
  Object.assign(body ?? {}, { example: undefined, examples: { wrong: { value: { nme: 1 } } } });
  t.match(await lint(wrong), [/^no-invalid-media-type-examples: /]);
});
