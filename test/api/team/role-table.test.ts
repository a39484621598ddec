import t from 'tap';
import type { Role } from '../../../control-plane/roles.js';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { type Operation, operationsOf } from '../../helpers/team/operations.js';
import { type PersonAnswer, requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];
const AT_ONCE = 6;

/** What the documentation promises, written down once more: which roles may use the routes of each access. */
const TABLE: Record<string, readonly Role[]> = {
  any: ROLES,
  person: ROLES,
  session: ROLES,
  view: ROLES,
  self: ROLES,
  read: ROLES,
  write: ['owner', 'admin', 'member'],
  full: ['owner', 'admin'],
  owner: ['owner'],
  owner_session: ['owner'],
  operator: ['owner', 'admin'],
};

const operations = await operationsOf(url);
/** The only workspace before the first call. */
const operatorsWorkspaceId = String((await mongo.db.collection<{ _id: string }>('workspaces').findOne({}))?._id);

/** The row of the table: `read` for `monitors:read`. */
const rowOf = ({ access }: Operation) => /:(read|write)$/.exec(access)?.[1] ?? access;

type Verdict = 'allowed' | 'refused' | 'hidden' | 'unauthenticated';

/** How the API check answered. What the handler says of an example that names nothing does not matter. */
function verdictOf({ status, body }: PersonAnswer): Verdict {
  if (status === 401) return 'unauthenticated';
  // This is what the handler says of the example.
  if (body.detail === 'The password is wrong.') return 'allowed';
  if (status === 403 && ['forbidden', 'insufficient_scope'].includes(body.code)) return 'refused';
  return status === 404 && body.detail === 'No such path.' ? 'hidden' : 'allowed';
}

/** What the table says for a session or a key of a person. */
function expected(operation: Operation, { role, kind, operator }: Caller): Verdict {
  const may = TABLE[rowOf(operation)]?.includes(role) === true;
  if (operation.access === 'operator') return may && operator ? 'allowed' : 'hidden';
  if (['person', 'session', 'owner_session'].includes(operation.access) && kind === 'key') return 'refused';
  return may ? 'allowed' : 'refused';
}

interface Caller {
  role: Role;
  kind: 'session' | 'key';
  operator: boolean;
}

const CALLERS: Caller[] = [true, false].flatMap((operator) =>
  ROLES.flatMap((role) => (['session', 'key'] as const).map((kind) => ({ role, kind, operator }))),
);

/**
 * Calls the operation in a workspace of its own, so that no call changes what another one finds; operators in the only one that
 * they can act in.
 */
async function call(operation: Operation, { role, kind, operator }: Caller): Promise<PersonAnswer> {
  const workspaceId = operator ? operatorsWorkspaceId : await storeWorkspace(mongo);
  await storePerson(mongo, workspaceId, 'owner');
  const person = await storePerson(mongo, workspaceId, role);
  // The only operation of this access is about a member: the person themselves.
  const path = operation.access === 'self' ? operation.template.replace('{id}', person.userId) : operation.path;
  return requestAs(url, kind === 'key' ? person.key : person.cookie, [operation.method, path, operation.body]);
}

t.test('every operation says who may use it', (t) => {
  t.ok(operations.length > 80, `${operations.length} operations`);
  for (const operation of operations) {
    if (operation.access === 'public') continue;
    t.same(operation.roles, TABLE[rowOf(operation)], operation.name);
  }
  t.end();
});

t.test('every operation allows and refuses each role as the table says, with a session and with a key', async (t) => {
  const cells = operations
    .filter(({ access }) => access !== 'public')
    .flatMap((operation) =>
      CALLERS.filter(({ operator }) => !operator || operation.access === 'operator').map((caller) => ({
        operation,
        caller,
      })),
    );
  const wrong: string[] = [];
  const worker = async () => {
    for (let cell = cells.pop(); cell !== undefined; cell = cells.pop()) {
      const { operation, caller } = cell;
      const answer = await call(operation, caller);
      const [verdict, right] = [verdictOf(answer), expected(operation, caller)];
      if (verdict === right) continue;
      const who = `${caller.operator ? 'operator, ' : ''}${caller.role}, ${caller.kind}`;
      wrong.push(
        `${operation.name} (${operation.access}; ${who}): ${verdict}, not ${right}: ${answer.text.slice(0, 300)}`,
      );
    }
  };
  t.ok(cells.length > 600, `${cells.length} cells`);
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  t.same(wrong, []);
});

t.test('without a credential, only public operations answer', async (t) => {
  for (const operation of operations) {
    const answer = await requestAs(url, null, [operation.method, operation.path, operation.body]);
    const isAsked = answer.status === 401 && /API key/.test(answer.body.detail ?? '');
    t.equal(isAsked, operation.access !== 'public', `${operation.name}: ${answer.text.slice(0, 200)}`);
  }
});

t.test('a viewer changes nothing but their own account, and sees everything but what only admins see', (t) => {
  const forViewers = operations.filter(({ access, roles }) => access !== 'public' && roles.includes('viewer'));
  const changing = forViewers.filter(
    ({ method, access }) => method !== 'GET' && !['person', 'session', 'self'].includes(access),
  );
  // These compute with stored results. A report is a form of what viewers see.
  t.same(changing.map(({ name }) => name).sort(), [
    'POST /api/v1/client-reports',
    'POST /api/v1/client-reports/schedules/preview',
    'POST /v1/backup-jobs/preview',
    'POST /v1/maintenance-windows/preview',
    'POST /v1/monitors/{id}/backtest',
  ]);
  const hidden = operations.filter(
    ({ method, access, roles }) =>
      method === 'GET' && access !== 'public' && access !== 'operator' && !roles.includes('viewer'),
  );
  // Feeds are for those who make them.
  t.same(hidden.map(({ name }) => name).sort(), [
    ...['GET /v1/api-keys', 'GET /v1/api-keys/{id}', 'GET /v1/maintenance-feeds'],
  ]);
  t.end();
});

t.test('a member who is not an admin cannot act on others with the operation for leaving', async (t) => {
  for (const role of ROLES) {
    for (const kind of ['session', 'key'] as const) {
      const workspaceId = await storeWorkspace(mongo);
      const other = await storePerson(mongo, workspaceId, 'viewer');
      const person = await storePerson(mongo, workspaceId, role);
      const credential = kind === 'key' ? person.key : person.cookie;
      const { status } = await requestAs(url, credential, ['DELETE', `/v1/team/members/${other.userId}`]);
      t.equal(status, role === 'owner' || role === 'admin' ? 204 : 403, `${role}, ${kind}`);
    }
  }
});
