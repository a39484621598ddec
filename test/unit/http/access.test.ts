import t from 'tap';
import { type Actor, hasScope } from '../../../control-plane/actor.js';
import { AppError } from '../../../control-plane/errors.js';
import { requireAccess, requireFresh } from '../../../control-plane/http/access.js';
import { refuseForeignOrigin } from '../../../control-plane/http/client/same-origin.js';
import type { Access } from '../../../control-plane/http/route.js';
import { ROLES, type Role } from '../../../control-plane/roles.js';
import { actorOf, buildClient } from '../../helpers/factories.js';

const session = { id: 'ses_1', confirmedAtMs: 0, secondFactor: false, restriction: null };

function actor(options: Partial<Actor>): Actor {
  const workspace = { id: 'ws_1', name: 'W', plan: 'Pro', userId: 'usr_1', email: 'a@b.c' } as const;
  return actorOf({ ...workspace, role: 'owner', operator: false }, options);
}

const codeOf = (run: () => void): string => {
  try {
    run();
    return 'allowed';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};
const access = (who: Actor, what: Exclude<Access, 'public'>, method = 'GET') =>
  codeOf(() => requireAccess(who, what, method));

/** What each role may do, cell by cell. */
const TABLE: Record<Role, string[]> = {
  owner: ['any', 'person', 'x:read', 'x:write', 'full', 'owner', 'owner_session'],
  admin: ['any', 'person', 'x:read', 'x:write', 'full'],
  member: ['any', 'person', 'x:read', 'x:write'],
  viewer: ['any', 'person', 'x:read'],
};
const CELLS = ['any', 'person', 'x:read', 'x:write', 'full', 'owner', 'owner_session'] as const;

t.test('what a person may do follows from the role', (t) => {
  for (const role of ROLES) {
    for (const cell of CELLS) {
      const expected = TABLE[role].includes(cell) ? 'allowed' : 'forbidden';
      t.equal(access(actor({ kind: 'session', session, role }), cell), expected, `${role} ${cell}`);
    }
    t.equal(access(actor({ kind: 'session', session, role }), 'operator'), 'not_found');
  }
  t.end();
});

t.test('a key never has more rights than the role of its creator today', (t) => {
  for (const role of ROLES) {
    for (const cell of CELLS) {
      const expected =
        !['person', 'owner_session'].includes(cell) && TABLE[role].includes(cell) ? 'allowed' : 'forbidden';
      t.equal(access(actor({ role }), cell), expected, `a key of a ${role}: ${cell}`);
    }
  }
  const narrow = actor({ scopes: ['x:write'] });
  t.equal(access(narrow, 'x:write'), 'allowed');
  for (const cell of ['x:read', 'full', 'owner'] as const) t.equal(access(narrow, cell), 'insufficient_scope');
  t.equal(hasScope(actor({ scopes: ['x:write'], role: 'viewer' }), 'x:write'), false);
  t.equal(access(actor({ operator: true, role: 'member' }), 'operator'), 'not_found');
  t.equal(access(actor({ operator: true }), 'operator'), 'allowed');
  t.end();
});

t.test('a restricted session may only read what everybody may, and change its own account', (t) => {
  for (const restriction of ['second_factor_setup_required', 'single_sign_on_required'] as const) {
    const person = actor({ kind: 'session', session: { ...session, restriction } });
    for (const method of ['GET', 'POST']) {
      t.equal(access(person, 'person', method), 'allowed');
      for (const cell of ['x:read', 'x:write', 'full', 'owner', 'owner_session'] as const) {
        t.equal(access(person, cell, method), restriction);
      }
    }
    t.equal(access(person, 'any', 'GET'), 'allowed');
    t.equal(access(person, 'any', 'POST'), restriction);
  }
  t.end();
});

t.test('a fresh route needs a confirmation of the last ten minutes', (t) => {
  const person = actor({ kind: 'session', session: { ...session, confirmedAtMs: 1_000 } });
  t.equal(
    codeOf(() => requireFresh(person, 601_000)),
    'allowed',
  );
  t.equal(
    codeOf(() => requireFresh(person, 601_001)),
    'confirmation_required',
  );
  t.equal(
    codeOf(() => requireFresh(actor({}), 601_001)),
    'allowed',
    'keys are exempt',
  );
  t.end();
});

t.test('a request from a page of another site is refused', (t) => {
  const from = (client: Parameters<typeof buildClient>[0], method = 'POST') =>
    codeOf(() => refuseForeignOrigin(method, buildClient(client), 'https://picket.example/'));
  const own = 'https://picket.example';
  const allowed = [
    {},
    { origin: own, fetchSite: 'same-origin' },
    { origin: own, fetchSite: 'cross-site', host: 'behind.a.proxy' },
    { origin: 'http://localhost:8080', host: 'localhost:8080' },
    { fetchSite: 'same-origin' },
    { fetchSite: 'none' },
  ];
  for (const client of allowed) t.equal(from(client), 'allowed', JSON.stringify(client));
  const refused = [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', fetchSite: 'same-origin' },
    { origin: 'https://picket.example.evil.example' },
    { origin: 'http://picket.example' },
    { origin: 'https://picket.example:444' },
    { origin: 'null', host: 'null' },
    { origin: '', host: '' },
    { origin: 'ftp://localhost:8080', host: 'localhost:8080' },
    { origin: 'http://localhost:8081', host: 'localhost:8080' },
    { fetchSite: 'cross-site' },
    { fetchSite: 'same-site' },
  ];
  for (const client of refused) {
    t.equal(from(client), 'forbidden', JSON.stringify(client));
    for (const method of ['GET', 'HEAD', 'OPTIONS']) t.equal(from(client, method), 'allowed', method);
    for (const method of ['PUT', 'PATCH', 'DELETE']) t.equal(from(client, method), 'forbidden', method);
  }
  t.end();
});

t.test('a refusal says which roles may do it', (t) => {
  const detailOf = (who: Actor, what: Exclude<Access, 'public'>) => {
    try {
      requireAccess(who, what, 'POST');
      return 'allowed';
    } catch (error) {
      return error instanceof AppError ? error.message : String(error);
    }
  };
  const viewer = { role: 'viewer' } as const;
  t.throws(() => requireAccess(actor({ kind: 'session', session, ...viewer }), 'full', 'POST'), {
    ...{ code: 'forbidden', extra: { required_roles: ['owner', 'admin'] } },
  });
  t.equal(
    detailOf(actor({ kind: 'session', session, ...viewer }), 'x:write'),
    'Your role is viewer. This needs the role owner, admin or member.',
  );
  t.equal(
    detailOf(actor({ kind: 'session', session, ...viewer }), 'full'),
    'Your role is viewer. This needs the role owner or admin.',
  );
  t.equal(
    detailOf(actor(viewer), 'owner'),
    'The person who created this key has the role viewer. This needs the role owner.',
  );
  t.end();
});
