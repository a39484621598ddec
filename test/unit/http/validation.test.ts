import fc from 'fast-check';
import t from 'tap';
import { Type } from 'typebox';
import { AppError, type FieldError } from '../../../control-plane/errors.js';
import { ifMatchVersion } from '../../../control-plane/http/etag.js';
import { idempotencyKey } from '../../../control-plane/http/idempotency/idempotency.js';
import { isDeeperThan } from '../../../control-plane/http/input/strings.js';
import { Name, Verbatim } from '../../../control-plane/http/input/text.js';
import { parseTimestamp } from '../../../control-plane/http/input/time/timestamp.js';
import { createRouteValidators } from '../../../control-plane/http/input/validate.js';
import { type Route, readRoute } from '../../../control-plane/http/route.js';
import { canonicalJson } from '../../../control-plane/storage/canonical-json.js';
import { type CursorScope, createCursors } from '../../../control-plane/storage/cursor.js';
import { idPattern } from '../../../control-plane/storage/ids.js';
import { isDatabaseUnavailable } from '../../../control-plane/storage/unavailable.js';

const validatorOf = createRouteValidators();
const shape = { path: '/v1/x', method: 'POST', access: 'any', tag: 'T', summary: 'S', replies: { 200: null } } as const;

function bodyRoute(body: Route['body']): Route {
  return readRoute({ ...shape, ...(body === undefined ? {} : { body }), handle: async () => ({ status: 200 }) });
}

function queryRoute(query: Record<string, Parameters<typeof Type.Optional>[0]>): Route {
  return readRoute({ ...shape, method: 'GET', query: Type.Object(query), handle: async () => ({ status: 200 }) });
}

function errorsOf(run: () => unknown): FieldError[] | string {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'validation_failed') return error.code;
    return (error.extra.errors ?? []).map(({ path, message }) => ({ path, message }));
  }
}

t.test('every error in a body is reported by JSON pointer', async (t) => {
  const { input } = validatorOf(
    bodyRoute(
      Type.Object({
        name: Name(),
        kind: Type.Enum(['a', 'b']),
        http: Type.Optional(
          Type.Union([Type.Object({ expected_status: Type.Integer({ minimum: 100 }) }), Type.Null()]),
        ),
        'a/b': Type.Optional(Type.Integer()),
      }),
    ),
  );
  const bad = (value: unknown) => errorsOf(() => input('', { kind: 'json', value }));
  t.same(bad({ name: 'x', kind: 'a', http: null }), []);
  t.same(bad({ name: ' ', kind: 'c', http: { expected_status: 'x', y: 1 }, 'a/b': 'q', z: 1 }), [
    { path: '/z', message: 'is not a known field' },
    { path: '/name', message: 'must not be empty' },
    { path: '/kind', message: 'must be one of a, b' },
    { path: '/http/y', message: 'is not a known field' },
    { path: '/http/expected_status', message: 'must be an integer' },
    { path: '/a~1b', message: 'must be an integer' },
  ]);
  t.same(bad({ kind: 'a' }), [{ path: '/name', message: 'is missing' }]);
  t.same(bad({ name: 'x', kind: 'a', http: 5 }), [{ path: '/http', message: 'must be an object or null' }]);
  t.same(bad([]), [{ path: '', message: 'must be an object' }]);
  t.same(bad(null), [{ path: '', message: 'must be an object' }]);
  t.same(bad({ name: 5, kind: 'a' }), [{ path: '/name', message: 'must be a string' }], 'nothing is coerced in a body');
  t.same(bad(JSON.parse('{"name":"x","kind":"a","__proto__":{"polluted":1}}')), [
    { path: '/__proto__', message: 'is not a known field' },
  ]);
  t.equal(
    errorsOf(() => input('', { kind: 'none' })),
    'invalid_json',
    'an empty body is not JSON',
  );
});

t.test(
  'for a union of literals the error lists the values, for a union of objects it is that of the intended branch',
  async (t) => {
    const route = bodyRoute(
      Type.Object({
        color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('green')])),
        target: Type.Optional(
          Type.Union([
            Type.Object({ type: Type.Literal('mail'), to: Type.String() }),
            Type.Object({ type: Type.Literal('web'), url: Type.String() }),
          ]),
        ),
      }),
    );
    const bad = (value: unknown) => errorsOf(() => validatorOf(route).input('', { kind: 'json', value }));
    t.same(bad({ color: 'blue' }), [{ path: '/color', message: 'must be one of red, green' }]);
    t.same(bad({ target: { type: 'web', url: 5 } }), [{ path: '/target/url', message: 'must be a string' }]);
  },
);

t.test('strings are trimmed before validation; verbatim strings stay unchanged', async (t) => {
  const { input } = validatorOf(
    bodyRoute(
      Type.Object({
        name: Name(),
        tags: Type.Array(Type.String()),
        headers: Type.Record(Type.String(), Type.String()),
        http: Type.Union([Type.Object({ body: Type.Union([Verbatim({ maxLength: 10 }), Type.Null()]) }), Type.Null()]),
      }),
    ),
  );
  const value = {
    name: `  ${'x'.repeat(200)}\n`,
    tags: [' a '],
    headers: { 'x-a': ' b ' },
    http: { body: ' a\nb ' },
  };
  t.same(input('', { kind: 'json', value }).body, {
    name: 'x'.repeat(200),
    tags: ['a'],
    headers: { 'x-a': 'b' },
    http: { body: ' a\nb ' },
  });
  const bad = (more: object) =>
    errorsOf(() => input('', { kind: 'json', value: { name: 'x', tags: [], headers: {}, http: null, ...more } }));
  t.same(bad({ name: 'a\u0007b' }), [{ path: '/name', message: 'must not contain control characters' }]);
  t.same(bad({ tags: ['a\r\nb'] }), [{ path: '/tags/0', message: 'must not contain control characters' }]);
  t.same(bad({ headers: { a: 'x\u0085y' } }), [{ path: '/headers/a', message: 'must not contain control characters' }]);
  t.same(bad({ name: 'a\ud800' }), [{ path: '/name', message: 'must not contain control characters' }]);
  t.same(bad({ http: { body: 'a\0' } }), [{ path: '/http/body', message: 'must not contain control characters' }]);
});

t.test('query parameters are converted strictly by their schema', async (t) => {
  const { input } = validatorOf(
    queryRoute({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      ratio: Type.Optional(Type.Number()),
      all: Type.Optional(Type.Boolean()),
      status: Type.Optional(Type.Enum(['up', 'down'])),
      q: Type.Optional(Type.String({ minLength: 1 })),
      from: Type.Optional(Type.String({ format: 'date-time' })),
      to: Type.Optional(Type.String({ format: 'date-time' })),
    }),
  );
  const query = (text: string) => ({ ...input(text, { kind: 'none' }).query });
  const bad = (text: string) => errorsOf(() => input(text, { kind: 'none' }));
  t.same(query('limit=50&ratio=1.5&all=true&status=up&q=50'), {
    limit: 50,
    ratio: 1.5,
    all: true,
    status: 'up',
    q: '50',
  });
  for (const text of ['50.0', '1e2', '0x10', '', '+5', '05', '١٢', '9'.repeat(20)]) {
    t.same(bad(`limit=${encodeURIComponent(text)}`), [{ path: '/query/limit', message: 'must be an integer' }], text);
  }
  t.same(bad('limit=0'), [{ path: '/query/limit', message: 'must be at least 1' }]);
  t.same(bad('limit=201'), [{ path: '/query/limit', message: 'must be at most 200' }]);
  t.same(bad('all=1'), [{ path: '/query/all', message: 'must be a boolean' }]);
  t.same(bad('limit=1&limit=2'), [{ path: '/query/limit', message: 'is repeated' }]);
  t.same(bad('constructor=1&x=2'), [
    { path: '/query/constructor', message: 'is not a known parameter' },
    { path: '/query/x', message: 'is not a known parameter' },
  ]);
  t.same(bad('__proto__=1'), [{ path: '/query/__proto__', message: 'is not a known parameter' }]);
  t.same(bad('q=%00'), [{ path: '/query/q', message: 'must not contain control characters' }]);
  t.same(bad('from=yesterday'), [{ path: '/query/from', message: 'must be an RFC 3339 timestamp' }]);
  t.same(bad('from=2026-01-01T01:00:00+01:00'), [
    { path: '/query/from', message: 'must be an RFC 3339 timestamp; in a URL, write + as %2B' },
  ]);
  t.same(bad('from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'), [
    { path: '/query/from', message: 'must not be after to' },
  ]);
  t.same(bad('from=2026-01-01T01:00:00%2B01:00&to=2026-01-01T00:00:00Z'), [], 'from can equal to');
});

t.test('only RFC 3339 timestamps are accepted', async (t) => {
  const good: [string, string][] = [
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00.1z', '2026-01-31T12:00:00.100Z'],
    ['2026-01-31T12:00:00.123456789+02:30', '2026-01-31T09:30:00.123Z'],
    ['2024-02-29T23:59:60Z', '2024-03-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ];
  for (const [text, iso] of good) t.equal(new Date(parseTimestamp(text) ?? Number.NaN).toISOString(), iso, text);
  const bad = [
    '2026-01-31',
    '2026-01-31T12:00Z',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '1769860800',
    '',
    '2026-01-01T00:00:00.Z',
    `2026-01-01T00:00:00.${'0'.repeat(100)}Z`,
  ];
  for (const text of bad) t.equal(parseTimestamp(text), null, text);
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
      return parseTimestamp(date.toISOString()) === date.getTime();
    }),
  );
});

t.test('a cursor is only valid for its list, workspace and filters', async (t) => {
  const cursors = createCursors(Buffer.alloc(32, 1));
  const scope: CursorScope = { workspaceId: 'ws_a', list: 'monitors', filters: { status: 'up', q: undefined } };
  const cursor = cursors.encode(scope, ['mon_x', 5]);
  t.match(cursor, /^[A-Za-z0-9_-]+$/);
  t.same(cursors.decode({ ...scope, filters: { status: 'up' } }, cursor), ['mon_x', 5]);
  const refused = (scope: CursorScope, text: string, by = cursors) =>
    t.throws(() => by.decode(scope, text), { code: 'validation_failed' }, JSON.stringify(scope) + text);
  refused({ ...scope, workspaceId: 'ws_b' }, cursor);
  refused({ ...scope, list: 'results' }, cursor);
  refused({ ...scope, filters: { status: 'down' } }, cursor);
  refused({ ...scope, filters: {} }, cursor);
  refused(scope, cursor, createCursors(Buffer.alloc(32, 2)));
  for (const text of ['', 'x', `${cursor}=`, ` ${cursor}`, `${cursor}.`, cursor.slice(1), cursor.slice(0, -1)])
    refused(scope, text);
  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    refused(scope, cursor.slice(0, index) + other + cursor.slice(index + 1));
  }
});

t.test('If-Match and Idempotency-Key', async (t) => {
  t.equal(ifMatchVersion(undefined), null);
  t.equal(ifMatchVersion('*'), null);
  t.equal(ifMatchVersion('"3"'), 3);
  t.equal(ifMatchVersion('W/"3"'), 3);
  t.equal(ifMatchVersion('"abc"'), -1, 'a foreign tag matches no version');
  for (const header of ['3', '"3', '"1", "2"', '']) {
    t.throws(() => ifMatchVersion(header), { code: 'invalid_request' }, header);
  }
  t.equal(idempotencyKey(undefined), null);
  t.equal(idempotencyKey('k'.repeat(255)), 'k'.repeat(255));
  for (const header of ['', 'a b', 'k'.repeat(256), 'é', 'a\tb']) {
    t.throws(() => idempotencyKey(header), { code: 'invalid_request' }, JSON.stringify(header));
  }
});

t.test('canonical JSON does not depend on the order of fields', async (t) => {
  t.equal(
    canonicalJson({ b: [1, { d: null, c: 'é"' }], a: undefined, A: -0 }),
    '{"A":0,"b":[1,{"c":"é\\"","d":null}]}',
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      return canonicalJson(value) === canonicalJson(reversed);
    }),
  );
});

t.test('the depth of a JSON text', async (t) => {
  t.equal(isDeeperThan('[[{"a":1}]]', 3), false);
  t.equal(isDeeperThan('[[{"a":1}]]', 2), true);
  t.equal(isDeeperThan('[[],[],{},[[]]]', 2), true);
  t.equal(isDeeperThan('[[],[],{},[]]', 2), false);
  t.equal(isDeeperThan('["[[[\\"[[[", "\\\\"]', 1), false, 'brackets in texts do not count');
  t.equal(isDeeperThan('["\\\\", [[]]]', 2), true, 'a text that ends with a backslash');
  t.equal(isDeeperThan('['.repeat(200_000) + ']'.repeat(200_000), 32), true);
  const depthOf = (value: unknown): number =>
    typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, max) => {
      return isDeeperThan(JSON.stringify(value), max) === depthOf(value) > max;
    }),
  );
});

t.test('which errors mean that the database is unavailable', async (t) => {
  const named = (name: string) => Object.assign(new Error('x'), { name });
  t.ok(isDatabaseUnavailable(named('MongoServerSelectionError')));
  t.ok(isDatabaseUnavailable(new Error('wrapped', { cause: named('MongoNetworkError') })));
  t.ok(isDatabaseUnavailable(Object.assign(new Error('x'), { code: 10_107 })), 'not primary');
  t.notOk(isDatabaseUnavailable(Object.assign(new Error('x'), { code: 11_000 })), 'a duplicate key');
  t.notOk(isDatabaseUnavailable(new Error('x')));
});

t.test('a wrong format is named by the prefix of an id or by an example', (t) => {
  const { input } = validatorOf(
    bodyRoute(
      Type.Object({
        channels: Type.Array(Type.String({ pattern: idPattern('chn') })),
        topic: Type.Union([Type.String({ pattern: '^[a-z]+$', examples: ['alerts'] }), Type.Null()]),
        code: Type.String({ pattern: '^[a-z]+$' }),
      }),
    ),
  );
  const bad = (value: unknown) => errorsOf(() => input('', { kind: 'json', value }));
  t.same(bad({ channels: ['x'], topic: 'A B', code: '1' }), [
    { path: '/channels/0', message: 'must be an id of the form chn_…' },
    { path: '/topic', message: 'has an invalid format; a valid value is "alerts"' },
    { path: '/code', message: 'has an invalid format' },
  ]);
  t.same(bad({ channels: [], topic: 5, code: 'a' }), [{ path: '/topic', message: 'must be a string or null' }]);
  t.end();
});

t.test('every error has a code with its facts', (t) => {
  const { input } = validatorOf(
    bodyRoute(
      Type.Object({
        name: Name(),
        count: Type.Integer({ minimum: 1, maximum: 5 }),
        kind: Type.Union([Type.Literal('a'), Type.Null()]),
        channels: Type.Array(Type.String({ pattern: idPattern('chn') }), { maxItems: 1 }),
        at: Type.String({ format: 'date-time' }),
        mail: Type.String({ pattern: '@', examples: ['a@b'] }),
      }),
    ),
  );
  const value = { name: 'a\u0007', count: 9, kind: 5, channels: ['x', 'y'], at: 'now', mail: 'b', more: 1 };
  let found: FieldError[] = [];
  try {
    input('', { kind: 'json', value });
  } catch (error) {
    if (error instanceof AppError) found = error.extra.errors ?? [];
  }
  const facts = Object.fromEntries(found.map(({ path, code, params = {} }) => [path, { code, ...params }]));
  t.same(facts, {
    '/name': { code: 'controls' },
    '/more': { code: 'unknown_field' },
    '/count': { code: 'max', max: 5 },
    '/kind': { code: 'one_of', values: ['a'] },
    '/channels': { code: 'max_items', max: 1 },
    '/channels/0': { code: 'id', prefix: 'chn' },
    '/channels/1': { code: 'id', prefix: 'chn' },
    '/at': { code: 'timestamp' },
    '/mail': { code: 'format', example: 'a@b' },
  });
  t.end();
});

t.test('an empty body is refused with what the request needs', (t) => {
  const json = validatorOf(bodyRoute(Type.Object({})));
  t.throws(() => json.input('', { kind: 'none' }), { message: 'The body is empty. This request needs a JSON object.' });
  const textBody = { types: ['application/yaml'], read: async () => null };
  const file = validatorOf({ ...bodyRoute(Type.Object({})), textBody });
  t.throws(() => file.input('', { kind: 'none' }), { message: 'The body is empty. This request needs a file.' });
  t.end();
});
