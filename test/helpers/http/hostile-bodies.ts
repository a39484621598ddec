import { Type } from 'typebox';
import { nullable } from '../../../control-plane/http/input/nullable.js';
import { Name } from '../../../control-plane/http/input/text.js';
import { type Route, readRoute } from '../../../control-plane/http/route.js';
import { BODY_BYTES as BYTES, filled } from './filled.js';

/** Returns a route whose body has a part of every kind that the API has. */
export function hostileBodyRoute(): Route {
  return readRoute({
    ...{ path: '/v1/x', method: 'POST', access: 'any', tag: 'T', summary: 'S', replies: { 200: null } },
    body: Type.Object({
      name: Type.Optional(Name()),
      channels: Type.Optional(
        nullable(Type.Array(Type.String({ pattern: '^chn_[0-9a-z]{26}$' }), { maxItems: 50, uniqueItems: true })),
      ),
      severity: Type.Optional(Type.Array(Type.Enum(['warning', 'critical']), { maxItems: 3, uniqueItems: true })),
      http: Type.Optional(
        nullable(
          Type.Object({
            headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: 50 })),
            body: Type.Optional(nullable(Type.String({ maxLength: 65_536, verbatim: true }))),
          }),
        ),
      ),
      rules: Type.Optional(
        Type.Array(Type.Union([Type.Object({ a: Type.Integer() }), Type.Null()]), { maxItems: 100 }),
      ),
    }),
    handle: async () => ({ status: 200 }),
  });
}

/** Returns bodies of 1 MiB that are wrong for that route in as many places as possible, and where their first error is. */
export function hostileBodies(): [what: string, json: string, path: RegExp][] {
  return [
    ['lists in the place of a text', filled('{"name":[', () => '[[]]', ']}'), /^\/name$/],
    ['one name of tildes and slashes', `{"${'~/'.repeat(BYTES / 2 - 4)}":1}`, /^\/~0~1/],
    ['such a name of a header', `{"http":{"headers":{"${'~/'.repeat(BYTES / 2 - 20)}":1}}}`, /^\/http\/headers\/~0~1/],
    ['long names of tildes', filled('{', (n) => `"${n + 10}${'~'.repeat(20_964)}":1`, '}'), /^\/\d+~0/],
    ['numbers in a list of ids', filled('{"channels":[', () => '1', ']}'), /^\/channels/],
    ['texts in a list of ids', filled('{"channels":[', () => '"x"', ']}'), /^\/channels/],
    ['objects in a list of ids', filled('{"channels":[', () => '{}', ']}'), /^\/channels/],
    ['numbers in a list of severities', filled('{"severity":[', (n) => `${n}`, ']}'), /^\/severity/],
    ['objects in a list of severities', filled('{"severity":[', (n) => `{"a":${n}}`, ']}'), /^\/severity/],
    ['headers that are no text', filled('{"http":{"headers":{', (n) => `"h${n}":1`, '}}}'), /^\/http\/headers/],
    ['good headers', filled('{"http":{"headers":{', (n) => `"h${n}":""`, '}}}'), /^\/http\/headers/],
    ['a union for each item', filled('{"rules":[', () => '1', ']}'), /^\/rules/],
    ['an invalid object for each item', filled('{"rules":[', () => '{"a":"","b":1}', ']}'), /^\/rules/],
    ['unknown fields', filled('{', (n) => `"u${n}":1`, '}'), /^\/u0/],
    ['unknown fields within unknown fields', filled('{"u":{', (n) => `"u${n}":{"x":[1]}`, '}}'), /^\/u/],
    ['empty lists', filled('{"channels":[', () => '[]', ']}'), /^\/channels/],
    ['one long name of a field', `{"${'n'.repeat(BYTES - 10)}":1}`, /^\/nnn/],
    ['a long name with many errors inside', filled(`{"${'n'.repeat(BYTES / 2)}":[`, () => '"\\u0007"', ']}'), /^\/nnn/],
    ['control characters in names', filled('{', (n) => `"\\u0007${n}":1`, '}'), /^\/0/],
    ['control characters in texts', filled('{"channels":[', () => '"\\u0001"', ']}'), /^\/channels\/0/],
    ['one text of control characters', `{"name":"${'\\u0001'.repeat(BYTES / 6 - 10)}"}`, /^\/name/],
    ['one text of raw control characters in a name', `{"${'\\u0001'.repeat(BYTES / 6 - 10)}":"\\u0001"}`, /^\/?$/],
    ['a long text', `{"http":{"body":"${'x'.repeat(BYTES - 100)}"}}`, /^\/http\/body/],
    ['a list instead of an object', filled('[', () => '{}', ']'), /^$/],
  ];
}
