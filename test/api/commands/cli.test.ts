import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { chainHash } from '../../../control-plane/audit/chain/chain.js';
import type { AuditDocument, AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { entryOf } from '../../../control-plane/audit/entry.js';
import type { AuditEntry } from '../../../control-plane/audit/schema.js';
import { parseJoinToken } from '../../../node-link/enrolment/join-token.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { freePort } from '../../helpers/machine/ports.js';
import { builtProcess, startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
const entries = mongo.db.collection<AuditDocument>('audit_log');
const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

/** `picket …` as a process of its own, as an operator or a cron job runs it. */
function picket(args: string[], env: Record<string, string> = controlPlane.env): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = builtProcess('control-plane/cli.js', args, env);
    let [out, err] = ['', ''];
    child.stdout?.on('data', (chunk) => (out += chunk));
    child.stderr?.on('data', (chunk) => (err += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

t.test('picket join-token: a line for each location, nothing else on stdout', async (t) => {
  const { code, out, err } = await picket(['join-token', 'fra', 'nyc']);
  t.equal(code, 0, err);
  t.match(out, /^fra pjt_\S+\nnyc pjt_\S+\n$/);
  t.match(err, /^picket: each is good for one node, .*picket-probe --join TOKEN\n$/);
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
    err: /^picket: there is no check location "moon"; there are fra, nyc, sin, lon, sfo\n$/,
  });
  t.equal(await mongo.db.collection('join_tokens').countDocuments(), 2, 'all of them or none');

  const server = await picket(['join-token', '--server']);
  t.match(server, { code: 0, out: /^server pjt_\S+\n$/, err: /picket-agent --join TOKEN\n$/ });
  const { secret } = parseJoinToken(server.out.trim().split(' ')[1] ?? '');
  const node = await mongo.db
    .collection<{ _id: string }>('join_tokens')
    .findOne({ _id: createHash('sha256').update(secret).digest('hex') });
  t.match(node, { kind: 'agent', workspace: { id: String } }, 'good for a server of the first workspace');
});

t.test('picket audit verify: what was done to the log is found and named', async (t) => {
  const stranger = await buildWorkspace(mongo, { name: 'Another' });
  const strangers = await buildKey(mongo, stranger);
  const create = (name: string, key = controlPlane.apiKey) =>
    controlPlane.api(
      'POST',
      '/v1/monitors',
      { name, type: 'ping', url: 'example.com' },
      { authorization: `Bearer ${key}` },
    );
  for (let index = 0; index < 4; index++) await create(`Monitor ${index}`);
  await create('Of another workspace', strangers.key);
  await waitFor('all entries sealed', 10_000, async () => (await entries.countDocuments({ hash: null })) === 0);
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
    .find({ workspace_id: { $ne: stranger.id } })
    .sort({ _id: 1 })
    .toArray();
  const [first, second, third, last] = [chain[0], chain[1], chain[2], chain.at(-1)];
  if (!first || !second || !third || !last || chain.length < 5) throw new Error(`${chain.length} entries`);

  /** Does something to the log, looks at what verify says, and puts the log back as it was. */
  async function tampered(t: Test, what: string, change: () => Promise<unknown>, says: RegExp): Promise<void> {
    await change();
    const { code, out, err } = await picket(['audit', 'verify']);
    t.equal(code, 1, `${what}: ${err}`);
    t.match(out, says, what);
    t.match(out, /\nAnother \(ws_.*\n.*\n {2}intact/, 'the other workspace’s log is still intact');
    t.match(out, /\n1 of 2 audit logs BROKEN\.\n$/);
    await entries.deleteMany({ workspace_id: first?.workspace_id ?? '' });
    await entries.insertMany(chain);
    await heads.deleteMany({});
    await heads.insertMany(ends);
  }

  await tampered(
    t,
    'an entry that was changed',
    () => entries.updateOne({ _id: second._id }, { $set: { 'actor.email': 'somebody@else.example' } }),
    new RegExp(
      `BROKEN: 1 problem\\n {4}altered +${second._id} is not what was sealed\\n +${second.action} by somebody@else`,
    ),
  );
  await tampered(
    t,
    'one that was changed and hashed anew',
    () => {
      const forged = { ...second, resource: { ...second.resource, name: 'Nothing to see here' } };
      const hash = chainHash(String(second.previous_hash), entryOf(forged));
      return entries.replaceOne({ _id: second._id }, { ...forged, hash });
    },
    new RegExp(`BROKEN: 1 problem\\n {4}broken +${third._id} does not follow ${second._id}`),
  );
  await tampered(
    t,
    'one that was removed',
    () => entries.deleteOne({ _id: second._id }),
    new RegExp(`BROKEN: 1 problem\\n {4}broken +${third._id} does not follow ${first._id}`),
  );
  await tampered(
    t,
    'the first, removed',
    () => entries.deleteOne({ _id: first._id }),
    new RegExp(`broken +${second._id} is not the first entry of a chain`),
  );
  await tampered(
    t,
    'the last, removed',
    () => entries.deleteOne({ _id: last._id }),
    new RegExp(`cut +${chain.at(-2)?._id} is the last of ${chain.length - 1}, but .* number ${chain.length}\\n`),
  );
  await tampered(
    t,
    'two that changed places',
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
    'the record of where the chain ends, removed',
    () => heads.deleteOne({ _id: first.workspace_id }),
    new RegExp(`endless +${last._id} is the last one there`),
  );
  t.equal((await picket(['audit', 'verify'])).code, 0, 'put back as it was, it is intact again');
});

t.test('picket audit verify FILE: an export is checked without a database', async (t) => {
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
  /** As the operator of another machine would run it: no setting at all. */
  const verify = async (text: string, ...options: string[]) => {
    await writeFile(file, text);
    return picket(['audit', 'verify', ...options, file], {});
  };
  const array = (list: unknown[]) => `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
  const without = (...places: number[]) => chain.filter((_, index) => !places.includes(index));

  const whole = await verify(array(chain));
  t.match(whole, { code: 0, err: '' });
  t.equal(
    whole.out,
    `${file} (${workspace.id})\n  20,000 entries from ${chain[0]?.timestamp} to ${chain.at(-1)?.timestamp}\n` +
      `  intact, and ends with the hash ${head?.hash}\n\nThe audit log is intact.\n`,
  );
  t.equal((await verify(chain.map((one) => `${JSON.stringify(one)}\n`).join(''))).code, 0, 'JSON lines');
  t.equal(
    (await verify(`\ufeff${JSON.stringify(chain.slice(0, 50), null, 2)}`)).code,
    0,
    'indented by another program',
  );
  const piece = await verify(array(chain.slice(5_000)));
  t.match(piece, { code: 0, out: new RegExp(`\\n  begins behind the hash ${chain[4_999]?.hash}\\n`) });
  t.match(await verify('[\n]\n'), { code: 0, out: / {2}0 entries\n/ });

  const changed = chain.map((one, index) => (index === 700 ? { ...one, actor: { ...one.actor, ip: null } } : one));
  t.match(await verify(array(changed)), {
    code: 1,
    out: new RegExp(`BROKEN: 1 problem\\n {4}altered +${chain[700]?.id} is not what was sealed\\n`),
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
  t.match(await verify(array(chain).slice(0, 1_000_000)), {
    code: 1,
    out: /cut +evt_\w+ is the last one there: it ends in the middle/,
  });
  t.match(await verify(array([...chain.slice(0, 3), { id: 7 }, ...chain.slice(3)])), {
    code: 1,
    out: /foreign +entry number 4 is not an audit entry\n/,
  });

  t.match(await verify('id,timestamp,action\r\nevt_1,x,y\r\n'), {
    code: 64,
    out: '',
    err: /^picket: .* is a CSV export, which has no hashes to check: export with format=json, and verify that\n$/,
  });
  for (const text of ['hello', '{"data": []}', '[1, 2]', '%PDF-1.7']) {
    t.match(await verify(text), { code: 64, out: '', err: /is not a JSON export: [^\n]+\n$/ }, text);
  }
  t.match(await picket(['audit', 'verify', join(folder, 'none.json')], {}), { code: 64, err: /there is no file/ });
  t.match(await picket(['audit', 'verify', folder], {}), { code: 64, err: /cannot be read: EISDIR/ });
});

t.test('wrong arguments are told with the usage', async (t) => {
  for (const [args, problem] of [
    [[], 'a command is missing'],
    [['frobnicate'], 'there is no command "frobnicate"'],
    [['audit'], 'audit knows one thing: verify'],
    [['audit', 'forge'], 'audit knows one thing: verify'],
    [['audit', 'forge', 'FILE'], 'audit knows one thing: verify'],
    [['audit', 'verify', 'a.json', 'b.json'], 'audit verify takes one file at most'],
    [['audit', 'verify', '--gaps'], 'audit verify takes one file at most'],
    [['audit', 'verify', '--fast', 'a.json'], 'audit verify takes one file at most'],
    [['join-token'], 'join-token needs a location'],
  ] as const) {
    const { code, out, err } = await picket([...args]);
    t.match({ code, out }, { code: 64, out: '' }, args.join(' '));
    t.ok(err.startsWith(`picket: ${problem}`), err);
    t.match(err, /\n\nusage: picket COMMAND\n/);
  }
  const help = await picket(['--help'], {});
  t.match(help, { code: 0, err: '', out: /^usage: picket COMMAND[\s\S]*audit verify[\s\S]*join-token/ });
});

t.test('a missing setting or a database that is away is told in one line, with a code of its own', async (t) => {
  for (const args of [
    ['audit', 'verify'],
    ['join-token', 'fra'],
  ]) {
    const missing = await picket(args, {});
    t.match(missing, { code: 78, out: '', err: /^picket: PICKET_MONGODB_URI is not set[^\n]*\n$/ }, args.join(' '));
  }
  const uri = `mongodb://127.0.0.1:${await freePort()}/picket?directConnection=true`;
  const away = await picket(['audit', 'verify'], { PICKET_MONGODB_URI: uri });
  t.match(away, { code: 69, out: '', err: /^picket: the database cannot be reached: [^\n]*\n$/ });
  const empty = await testDatabase();
  t.teardown(() => empty.drop());
  t.match(await picket(['audit', 'verify'], { PICKET_MONGODB_URI: empty.uri }), {
    code: 0,
    out: 'There is no sealed audit log yet.\n',
  });
  const early = await picket(['join-token', 'fra'], { ...controlPlane.env, PICKET_MONGODB_URI: empty.uri });
  t.match(early, { code: 70, out: '', err: /start the control plane once before\n$/ });
});
