import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as argon2 from '@node-rs/argon2';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createKeyAuthenticator } from '../../../control-plane/accounts/api-keys/key-authenticator.js';
import { createApiKeysStore } from '../../../control-plane/accounts/api-keys/store.js';
import {
  ensureFirstRun,
  type FirstRunFile,
  type FirstRunNeeds,
} from '../../../control-plane/accounts/first-run/first-run.js';
import { createFirstRunStore } from '../../../control-plane/accounts/first-run/store.js';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createPasswords } from '../../../control-plane/accounts/passwords/password.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createRunTransaction, type RunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase } from '../../helpers/database.js';
import { buildClient } from '../../helpers/factories.js';

const passwords = createPasswords({ argon2, cores: 2, key: Buffer.alloc(32, 7) });

async function setUp(t: Test) {
  const mongo = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'picket-first-run-'));
  t.teardown(async () => {
    await mongo.drop();
    await rm(folder, { recursive: true });
  });
  const file = join(folder, 'data', 'first-run.json');
  const [users, memberships] = [createUsersStore(mongo.db), createMembershipsStore(mongo.db)];
  const keys = createApiKeysStore(mongo.db);
  await Promise.all([users, memberships, keys].map((store) => store.ensureIndexes()));
  const runTransaction = createRunTransaction(mongo.client);
  const ids = createIds(systemClock, systemRandom);
  const errors: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => errors.push(JSON.parse(line).msg) });
  const common = {
    firstRuns: createFirstRunStore(mongo.db),
    workspaces: createWorkspacesStore(mongo.db),
    users,
    memberships,
    passwords,
    audit: createAuditLog({ store: createAuditStore(mongo.db), ids }),
    keys,
    ids,
    clock: systemClock,
    random: systemRandom,
    logger,
    publicUrl: 'http://127.0.0.1:8080',
  };
  const run = (options: Partial<FirstRunNeeds> = {}) => ensureFirstRun({ ...common, runTransaction, file, ...options });
  const counts = async () =>
    Promise.all(
      ['workspaces', 'users', 'memberships', 'api_keys', 'audit_log'].map((name) =>
        mongo.db.collection(name).countDocuments(),
      ),
    );
  const read = async (path = file): Promise<FirstRunFile> => JSON.parse(await readFile(path, 'utf8'));
  const works = async (content: FirstRunFile) => {
    const actor = await createKeyAuthenticator({ store: keys, clock: systemClock, logger }).authenticate({
      authorization: `Bearer ${content.api_key}`,
      method: 'GET',
      client: buildClient(),
    });
    const user = await mongo.db.collection('users').findOne({ email: content.email });
    t.match(actor, { plan: 'Enterprise', operator: true, role: 'owner', scopes: ['*'], email: content.email });
    t.match(user?.['password_hash'], /^keyed\$argon2id\$/);
    t.ok(
      await passwords.verify(user?.['password_hash'], content.password, {
        email: content.email,
        ip: null,
        isKnown: false,
      }),
      'the password belongs to the owner',
    );
  };
  return { mongo, common, errors, folder, file, run, runTransaction, counts, read, works };
}

t.test(
  'an empty database gets a workspace, its owner, a key, and a file that only the operator can read',
  async (t) => {
    const { file, run, counts, read, works } = await setUp(t);
    await run();
    const content = await read();
    t.match(content, {
      dashboard_url: 'http://127.0.0.1:8080/',
      api_url: 'http://127.0.0.1:8080',
      email: /@/,
      password: /^\w{24}$/,
      api_key: /^pk_live_/,
    });
    t.same(Object.keys(content), ['dashboard_url', 'api_url', 'email', 'password', 'api_key']);
    t.equal((await stat(file)).mode & 0o777, 0o600);
    t.same(await readdir(join(file, '..')), ['first-run.json'], 'no draft is left');
    await works(content);
    await run();
    t.same(await counts(), [1, 1, 1, 1, 1], 'a second start changes nothing');
    t.same(await read(), content);
    await rm(file);
    await run();
    t.same(await readdir(join(file, '..')), [], 'a file that was removed does not come back');
  },
);

t.test('control planes that start concurrently create one workspace and its file', async (t) => {
  const { run, counts, read, works, file, folder } = await setUp(t);
  await Promise.all([run(), run(), run(), run({ file: join(folder, 'elsewhere.json') })]);
  t.same(await counts(), [1, 1, 1, 1, 1]);
  const files = [...(await readdir(join(file, '..'))), ...(await readdir(folder)).filter((name) => name !== 'data')];
  t.equal(files.length, 1, `one file: ${files.join()}`);
  await works(await read(files[0] === 'first-run.json' ? file : join(folder, 'elsewhere.json')));
});

t.test('after a crash before the commit, the next start creates everything again', async (t) => {
  const { run, counts, read, works, file } = await setUp(t);
  const killed: RunTransaction = () => Promise.reject(new Error('killed'));
  await t.rejects(run({ runTransaction: killed }), /killed/);
  t.same(await counts(), [0, 0, 0, 0, 0]);
  t.equal((await readdir(join(file, '..'))).length, 1, 'a draft is left behind');
  await run();
  t.same(await counts(), [1, 1, 1, 1, 1]);
  t.same(await readdir(join(file, '..')), ['first-run.json'], 'it is removed');
  await works(await read());
});

t.test('after a crash between commit and rename, the next start renames the file', async (t) => {
  const { run, runTransaction, counts, read, works, file } = await setUp(t);
  const killed: RunTransaction = async (work) => {
    await runTransaction(work);
    throw new Error('killed');
  };
  await t.rejects(run({ runTransaction: killed }), /killed/);
  t.same(await counts(), [1, 1, 1, 1, 1]);
  await t.rejects(read(), /ENOENT/);
  await writeFile(`${file}.0000000000000000.draft`, '{}');
  await run();
  await works(await read());
  t.same(await readdir(join(file, '..')), ['first-run.json']);
});

t.test('a database with a workspace stays unchanged', async (t) => {
  const { mongo, run, counts, file, errors } = await setUp(t);
  await mongo.db.collection<{ _id: string }>('workspaces').insertOne({ _id: 'ws_x' });
  await run();
  t.same(await counts(), [1, 0, 0, 0, 0]);
  t.same(
    await mongo.db.collection('workspaces').findOne({}),
    { _id: 'ws_x' },
    'nobody there operates the installation',
  );
  t.match(
    errors,
    [/no workspace operates this installation.*db\.workspaces\.updateOne/],
    'the log says how to mend that',
  );
  await t.rejects(stat(file), /ENOENT/);
});

t.test(
  'in a database of an earlier version, the workspace of the first run operates instead of a person',
  async (t) => {
    const { mongo, common, errors, run, read, works, counts } = await setUp(t);
    await run();
    const [workspaces, users] = [mongo.db.collection('workspaces'), mongo.db.collection('users')];
    const first = await workspaces.findOne({});
    const flags = () => users.countDocuments({ operator: { $exists: true } });
    const marked = () => workspaces.distinct('_id', { operates_installation: true });
    const asBefore = async () => {
      await workspaces.updateMany({}, { $unset: { operates_installation: 1 } });
      await users.updateMany({}, { $set: { operator: true } });
    };
    await asBefore();
    // Later, but with a lower id, because the clock of the machine was wrong.
    await workspaces.insertOne({ _id: 'ws_0', created_at_ms: 1 } as object);
    const killed = { ...common.users, removeOperatorMarks: () => Promise.reject(new Error('killed')) };
    await t.rejects(run({ users: killed }), /killed/);
    t.same([await flags(), await marked()], [1, []], 'it was killed between the two writes, and nothing is lost');
    await run();
    t.same([await flags(), await marked()], [0, [first?._id]]);
    await works(await read());
    await asBefore();
    await Promise.all([run(), run(), run()]);
    t.same([await flags(), await marked()], [0, [first?._id]], 'several control planes at once');
    await run();
    t.same(await counts(), [2, 1, 1, 1, 1], 'a later start changes nothing');
    t.same(errors, []);
    await asBefore();
    await workspaces.deleteOne({ _id: first?._id as never });
    await run();
    t.same([await flags(), await marked()], [1, []], 'without that workspace, no mark is removed');
    t.match(errors, [/no workspace operates this installation/]);
  },
);
