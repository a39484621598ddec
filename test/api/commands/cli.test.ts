import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { chainHash } from '../../../control-plane/audit/chain/hash.js';
import type { AuditDocument, AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { entryOf } from '../../../control-plane/audit/entry.js';
import type { AuditEntry } from '../../../control-plane/audit/schema.js';
import { parseJoinToken } from '../../../node-link/enrolment/join-token.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { freePort } from '../../helpers/machine/ports.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { runPicket } from '../../helpers/processes/picket-command.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
const entries = mongo.db.collection<AuditDocument>('audit_log');
const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

const picket = (args: string[], env: Record<string, string> = controlPlane.env) => runPicket(args, env);

t.test('picket join-token prints only one line for each location', async (t) => {
  const { code, out, err } = await picket(['join-token', 'fra', 'nyc']);
  t.equal(code, 0, err);
  t.match(out, /^fra pjt_\S+\nnyc pjt_\S+\n$/);
  t.match(err, /^picket: each token is valid for one node .*picket-probe --join TOKEN\n$/);
  const secrets = out
    .trim()
    .split('\n')
    .map((line) => parseJoinToken(line.split(' ')[1] ?? ''));
  t.same(
    secrets.map(({ addresses }) => addresses),
    Array(2).fill([`127.0.0.1:${controlPlane.env['PICKET_GRPC_PORT']}`]),
  );
  const stored = await mongo.db.collection<{ _id: string; location: string }>('join_tokens').find().toArray();
  t.same(
    stored.map(({ _id, location }) => [location, _id]).sort(),
    secrets.map(({ secret }, index) => [['fra', 'nyc'][index], createHash('sha256').update(secret).digest('hex')]),
    'only their hashes are stored',
  );
  t.equal(await entries.countDocuments({ action: 'probe.join_token_created', 'actor.email': 'system' }), 2);

  const unknown = await picket(['join-token', 'fra', 'moon']);
  t.match(unknown, {
    code: 64,
    out: '',
    err: /^picket: unknown check location "moon"; the locations are fra, nyc, sin, lon, sfo\n$/,
  });
  t.equal(await mongo.db.collection('join_tokens').countDocuments(), 2, 'all tokens or none');

  const server = await picket(['join-token', '--server']);
  t.match(server, { code: 0, out: /^server pjt_\S+\n$/, err: /picket-agent --join TOKEN\n$/ });
  const { secret } = parseJoinToken(server.out.trim().split(' ')[1] ?? '');
  const node = await mongo.db
    .collection<{ _id: string }>('join_tokens')
    .findOne({ _id: createHash('sha256').update(secret).digest('hex') });
  t.match(node, { kind: 'agent', workspace: { id: String } }, 'valid for a server of the first workspace');
});

t.test('picket audit verify reports every change of the log', async (t) => {
  const otherTenant = await buildWorkspace(mongo, { name: 'Another' });
  const otherTenantKey = await buildKey(mongo, otherTenant);
  const create = (name: string, key = controlPlane.apiKey) =>
    controlPlane.api(
      'POST',
      '/v1/monitors',
      { name, type: 'ping', url: 'example.com' },
      { authorization: `Bearer ${key}` },
    );
  for (let index = 0; index < 4; index++) await create(`Monitor ${index}`);
  await create('Of another workspace', otherTenantKey.key);
  await waitFor('all entries sealed', 60_000, async () => (await entries.countDocuments({ hash: null })) === 0);
  t.equal(await controlPlane.stop(), 0, 'it works without a running control plane');

  const before = await mongo.db.collection('settings').find().toArray();
  const intact = await picket(['audit', 'verify'], { PICKET_MONGODB_URI: mongo.uri, PICKET_DATA_DIR: '/nowhere' });
  t.equal(intact.code, 0, intact.err);
  const ends = await heads.find().toArray();
  for (const { _id, count, hash } of ends) {
    t.match(
      intact.out,
      new RegExp(`\\(${_id}\\)\\n  ${count} entr(y of|ies from 20\\S+ to) 20\\S+Z\\n  intact, .* ${hash}\\n`),
    );
  }
  t.match(intact.out, /^Another \(ws_/m);
  t.match(intact.out, /\nAll 2 audit logs are intact\.\n$/);
  t.equal(intact.err, '');
  t.same(await mongo.db.collection('settings').find().toArray(), before, 'it changes nothing');

  const chain = await entries
    .find({ workspace_id: { $ne: otherTenant.id } })
    .sort({ _id: 1 })
    .toArray();
  const [first, second, third, last] = [chain[0], chain[1], chain[2], chain.at(-1)];
  if (!first || !second || !third || !last || chain.length < 5) throw new Error(`${chain.length} entries`);

  /** Changes the log, runs verify, and restores the log. */
  async function tampered(t: Test, what: string, change: () => Promise<unknown>, says: RegExp): Promise<void> {
    await change();
    const { code, out, err } = await picket(['audit', 'verify']);
    t.equal(code, 1, `${what}: ${err}`);
    t.match(out, says, what);
    t.match(out, /\nAnother \(ws_.*\n.*\n {2}intact/, 'the log of the other workspace is still intact');
    t.match(out, /\n1 of 2 audit logs BROKEN\.\n$/);
    t.match(
      await entries.find({ action: 'audit.chain_broken' }).toArray(),
      [
        {
          workspace_id: first?.workspace_id,
          severity: 'critical',
          actor: { email: 'system' },
          metadata: { problems: Number },
        },
      ],
      'the log whose chain is broken has an entry about it',
    );
    await entries.deleteMany({ workspace_id: first?.workspace_id ?? '' });
    await entries.insertMany(chain);
    await heads.deleteMany({});
    await heads.insertMany(ends);
  }

  await tampered(
    t,
    'a changed entry',
    () => entries.updateOne({ _id: second._id }, { $set: { 'actor.email': 'somebody@else.example' } }),
    new RegExp(
      `BROKEN: 1 problem\\n {4}altered +${second._id} differs from what was sealed\\n +${second.action} by somebody@else`,
    ),
  );
  await tampered(
    t,
    'a changed entry with a new hash',
    () => {
      const forged = { ...second, resource: { ...second.resource, name: 'Nothing to see here' } };
      const hash = chainHash(String(second.previous_hash), entryOf(forged));
      return entries.replaceOne({ _id: second._id }, { ...forged, hash });
    },
    new RegExp(`BROKEN: 1 problem\\n {4}broken +${third._id} does not follow ${second._id}`),
  );
  await tampered(
    t,
    'a removed entry',
    () => entries.deleteOne({ _id: second._id }),
    new RegExp(`BROKEN: 1 problem\\n {4}broken +${third._id} does not follow ${first._id}`),
  );
  await tampered(
    t,
    'the first entry removed',
    () => entries.deleteOne({ _id: first._id }),
    new RegExp(`broken +${second._id} is not the first entry of a chain`),
  );
  await tampered(
    t,
    'the last entry removed',
    () => entries.deleteOne({ _id: last._id }),
    new RegExp(
      `truncated +${chain.at(-2)?._id} is the last of ${chain.length - 1} entries, but .* number ${chain.length}\\n`,
    ),
  );
  await tampered(
    t,
    'two entries swapped',
    async () => {
      await entries.deleteMany({ _id: { $in: [second._id, third._id] } });
      await entries.insertMany([
        { ...second, _id: third._id },
        { ...third, _id: second._id },
      ]);
    },
    new RegExp(`broken +${second._id} does not follow ${first._id}\\n.*\\n +altered +${second._id} `),
  );
  await tampered(
    t,
    'the head of the chain removed',
    () => heads.deleteOne({ _id: first.workspace_id }),
    new RegExp(`headless +${last._id} is the last entry, but`),
  );
  t.equal((await picket(['audit', 'verify'])).code, 0, 'restored, it is intact again');
});

t.test('picket audit verify FILE verifies an export without a database', async (t) => {
  const workspace = await buildWorkspace(mongo, { name: 'Exported' });
  const nowMs = Date.now();
  const head = await fillAuditLog(mongo.db, workspace.id, 20_000, (index) => ({
    atMs: nowMs - 1_000_000 + index * 50,
  }));
  const chain: AuditEntry[] = (await entries.find({ workspace_id: workspace.id }).sort({ _id: 1 }).toArray()).map(
    entryOf,
  );
  const folder = await mkdtemp(join(tmpdir(), 'picket-export-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'export.json');
  /** Runs it without any setting, like an operator on another machine. */
  const verify = async (text: string, ...options: string[]) => {
    await writeFile(file, text);
    return picket(['audit', 'verify', ...options, file], {});
  };
  const array = (list: unknown[]) => `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
  /** Its beginning is an export too, and quicker to read. */
  const beginning = chain.slice(0, 1_000);
  const without = (...places: number[]) => beginning.filter((_, index) => !places.includes(index));

  const whole = await verify(array(chain));
  t.match(whole, { code: 0, err: '' });
  t.equal(
    whole.out,
    `${file} (${workspace.id})\n  20,000 entries from ${chain[0]?.timestamp} to ${chain.at(-1)?.timestamp}\n` +
      `  intact, ends with the hash ${head?.hash}\n\nThe audit log is intact.\n`,
  );
  t.equal((await verify(beginning.map((one) => `${JSON.stringify(one)}\n`).join(''))).code, 0, 'JSON lines');
  t.equal(
    (await verify(`\ufeff${JSON.stringify(chain.slice(0, 50), null, 2)}`)).code,
    0,
    'indented by another program',
  );
  const piece = await verify(array(chain.slice(5_000)));
  t.match(piece, { code: 0, out: new RegExp(`\\n  starts after the hash ${chain[4_999]?.hash}\\n`) });
  t.match(await verify('[\n]\n'), { code: 0, out: / {2}0 entries\n/ });

  const changed = beginning.map((one, index) => (index === 700 ? { ...one, actor: { ...one.actor, ip: null } } : one));
  t.match(await verify(array(changed)), {
    code: 1,
    out: new RegExp(`BROKEN: 1 problem\\n {4}altered +${chain[700]?.id} differs from what was sealed\\n`),
  });
  t.match(await verify(array(without(700))), {
    code: 1,
    out: new RegExp(`broken +${chain[701]?.id} does not follow ${chain[699]?.id}\\n[\\s\\S]*1 of 1 audit log BROKEN`),
  });
  t.match(await verify(array(without(700, 900)), '--gaps'), {
    code: 0,
    out: /\n {2}2 gaps, as in an export with filters/,
  });
  const renamed = changed.map((one, index) => (index === 900 ? { ...one, note: 'x' } : one));
  t.match(await verify(array(renamed), '--gaps'), { code: 1, out: /BROKEN: 2 problems/ });
  t.match(await verify(array(beginning).slice(0, 200_000)), {
    code: 1,
    out: /truncated +evt_\w+ is the last entry: it ends in the middle/,
  });
  t.match(await verify(array([...beginning.slice(0, 3), { id: 7 }, ...beginning.slice(3)])), {
    code: 1,
    out: /foreign +entry number 4 is not an audit entry\n/,
  });

  t.match(await verify('"id","timestamp","action"\r\n"evt_1","x","y"\r\n'), {
    code: 64,
    out: '',
    err: /^picket: .* is a CSV export, which has no hashes: export with format=json and verify that file\n$/,
  });
  for (const text of ['hello', '{"data": []}', '[1, 2]', '%PDF-1.7']) {
    t.match(await verify(text), { code: 64, out: '', err: /is not a JSON export: [^\n]+\n$/ }, text);
  }
  t.match(await picket(['audit', 'verify', join(folder, 'none.json')], {}), {
    code: 64,
    err: /none\.json does not exist/,
  });
  t.match(await picket(['audit', 'verify', folder], {}), { code: 64, err: /cannot be read: EISDIR/ });
});

t.test('invalid arguments print the usage', async (t) => {
  for (const [args, problem] of [
    [[], 'a command is missing'],
    [['frobnicate'], 'unknown command "frobnicate"'],
    [['audit'], 'audit requires a subcommand: verify'],
    [['audit', 'forge'], 'audit requires a subcommand: verify'],
    [['audit', 'forge', 'FILE'], 'audit requires a subcommand: verify'],
    [['audit', 'verify', 'a.json', 'b.json'], 'audit verify takes at most one file'],
    [['audit', 'verify', '--gaps'], 'audit verify takes at most one file'],
    [['audit', 'verify', '--fast', 'a.json'], 'audit verify takes at most one file'],
    [['join-token'], 'join-token requires a location'],
  ] as const) {
    const { code, out, err } = await picket([...args]);
    t.match({ code, out }, { code: 64, out: '' }, args.join(' '));
    t.ok(err.startsWith(`picket: ${problem}`), err);
    t.match(err, /\n\nusage: picket COMMAND\n/);
  }
  t.match(await picket(['--version'], {}), { code: 0, err: '', out: /^\d+\.\d+\.\d+\n$/ });
  const help = await picket(['--help'], {});
  t.match(help, { code: 0, err: '', out: /^usage: picket COMMAND[\s\S]*audit verify[\s\S]*join-token/ });
});

t.test('a missing setting or an unavailable database is reported in one line with its own exit code', async (t) => {
  const uri = `mongodb://127.0.0.1:${await freePort()}/picket?directConnection=true`;
  // It waits five seconds for a database, so it is started first.
  const away = picket(['audit', 'verify'], { PICKET_MONGODB_URI: uri });
  for (const args of [
    ['audit', 'verify'],
    ['join-token', 'fra'],
  ]) {
    const missing = await picket(args, {});
    t.match(missing, { code: 78, out: '', err: /^picket: PICKET_MONGODB_URI is not set[^\n]*\n$/ }, args.join(' '));
  }
  const empty = await testDatabase();
  t.teardown(() => empty.drop());
  t.match(await picket(['audit', 'verify'], { PICKET_MONGODB_URI: empty.uri }), {
    code: 0,
    out: 'There is no sealed audit log yet.\n',
  });
  const early = await picket(['join-token', 'fra'], { ...controlPlane.env, PICKET_MONGODB_URI: empty.uri });
  t.match(early, { code: 70, out: '', err: /start the control plane once first\n$/ });
  t.match(await away, { code: 69, out: '', err: /^picket: the database cannot be reached: [^\n]*\n$/ });
});
