import { setImmediate } from 'node:timers/promises';
import { Registry } from 'prom-client';
import t from 'tap';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { readConfig } from '../../../control-plane/config.js';
import { AppError } from '../../../control-plane/errors.js';
import { openFoundation } from '../../../control-plane/foundation.js';
import { closedSchema } from '../../../control-plane/http/input/closed-schema.js';
import { createRouteValidators, type RouteValidator } from '../../../control-plane/http/input/validate.js';
import { problemOf } from '../../../control-plane/http/problem.js';
import { composeProduct } from '../../../control-plane/product.js';
import { createLogger } from '../../../kernel/logger.js';
import { startStepCounter } from '../../helpers/count-steps.js';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

/**
 * An eighth of the largest body, so that all fields of all routes can be tried; `test/unit/http/hostile-bodies.test.ts`
 * sends the largest ones. Work that grows with the square of the size would take thousands of steps for each
 * byte at this size.
 */
const BODY_BYTES = 128 * 1024;
const STEPS_PER_BYTE_MAX = 4;
const ERRORS_MAX = 50;
const ANSWER_BYTES_MAX = 64 * 1024;

const counter = startStepCounter();
const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
const config = readConfig(controlPlane.env);
const foundation = await openFoundation(config, createLogger({ name: 'test', level: 'silent' }));
const product = await composeProduct().open({
  ...foundation,
  config,
  version: '0.0.0',
  registry: new Registry(),
  catalogue: readProviders({ file: null, keys: new Map() }),
});
t.teardown(async () => {
  counter.stop();
  await product.stop();
  await foundation.mongo.close();
  await controlPlane.remove();
  await mongo.drop();
});
const writing = product.routes.filter(({ body }) => body !== undefined);

interface Node {
  type?: string;
  maxItems?: number;
  maxLength?: number;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, Node>;
  [keyword: string]: unknown;
}

/** Calls `visit` for every schema in the schema. */
function walk(node: unknown, path: string, visit: (node: Node, path: string) => void): void {
  if (Array.isArray(node)) {
    node.forEach((inner, index) => void walk(inner, `${path}/${index}`, visit));
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  visit(node as Node, path);
  for (const [name, inner] of Object.entries(node)) {
    if (!['examples', 'example', 'default', 'enum', 'const', 'required'].includes(name)) {
      walk(inner, `${path}/${name}`, visit);
    }
  }
}

/** Returns the paths of the fields in the body, those of objects in it included. */
function fieldsOf(schema: unknown): string[][] {
  const found = new Map<string, string[]>();
  const visit = (node: Node, path: string[]): void => {
    for (const [name, inner] of Object.entries(node.properties ?? {})) {
      found.set([...path, name].join('/'), [...path, name]);
      visit(inner, [...path, name]);
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      for (const branch of (node[keyword] ?? []) as Node[]) visit(branch, path);
    }
    for (const keyword of ['then', 'else'] as const)
      if (node[keyword] !== undefined) visit(node[keyword] as Node, path);
  };
  visit(schema as Node, []);
  return [...found.values()];
}

const repeated = (part: string, open: string, close: string) =>
  `${open}${Array(Math.floor((BODY_BYTES - 20) / (part.length + 1)))
    .fill(part)
    .join(',')}${close}`;
const numbered = (part: (index: number) => string) => {
  const parts: string[] = [];
  for (let bytes = 20, index = 0; bytes < BODY_BYTES; bytes += part(index).length + 1, index++) parts.push(part(index));
  return parts.slice(0, -1).join(',');
};
/** Values of about 1 MiB that are wrong in as many places as possible. */
const HOSTILE: readonly string[] = [
  repeated('1', '[', ']'),
  repeated('""', '[', ']'),
  repeated('{"a":1}', '[', ']'),
  repeated('"\\u0001"', '[', ']'),
  `{${numbered((index) => `"x${index}":1`)}}`,
  `{${numbered((index) => `"\\u0001${index}":""`)}}`,
  `"${'\\u0001'.repeat(BODY_BYTES / 6)}"`,
];

/** Returns the answer to an invalid body, and an empty object for a valid one. */
function answerTo(input: RouteValidator['input'], json: string): string {
  try {
    input('', { kind: 'json', value: JSON.parse(json) });
    return '{}';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return JSON.stringify(problemOf(error, 'req_1'));
  }
}

t.test('no body makes the validation of any route much work, or its answer long', async (t) => {
  t.ok(writing.length > 20, `${writing.length} routes`);
  const validatorOf = createRouteValidators();
  const violations: string[] = [];
  let steps = 0;
  for (const route of writing) {
    const { input } = validatorOf(route);
    let bytes = 0;
    const taken = await counter.stepsOf(() => {
      for (const field of [[], ...fieldsOf(route.body)]) {
        const open = field.map((name) => `{${JSON.stringify(name)}:`).join('');
        for (const value of HOSTILE) {
          const json = `${open}${value}${'}'.repeat(field.length)}`;
          bytes += json.length;
          const answer = answerTo(input, json);
          const errors: unknown[] = JSON.parse(answer).errors ?? [];
          if (errors.length > ERRORS_MAX || Buffer.byteLength(answer) > ANSWER_BYTES_MAX) {
            const what = `${route.method} ${route.path} /${field.join('/')} ${value.slice(0, 12)}`;
            violations.push(`${what}: ${errors.length} errors in ${Buffer.byteLength(answer)} bytes`);
          }
        }
      }
    });
    steps += taken;
    if (taken > STEPS_PER_BYTE_MAX * bytes) violations.push(`${route.method} ${route.path}: ${taken} steps`);
    // Lets the connections to the control plane notice that it closed them.
    await setImmediate();
  }
  t.same(violations, []);
  t.ok(steps > writing.length * BODY_BYTES, `${steps} steps are counted`);
});

t.test('every list and every text of a request has a limit', (t) => {
  for (const { method, path, body, query } of product.routes) {
    for (const schema of [body, query]) {
      if (schema === undefined) continue;
      walk(closedSchema(schema), `${method} ${path}`, (node, where) => {
        if (node.type === 'array') t.type(node.maxItems, 'number', `${where} has maxItems`);
        if (node.type !== 'string') return;
        const isLimited =
          node.maxLength !== undefined ||
          node.const !== undefined ||
          node.format === 'date-time' ||
          /\{\d+\}\$$|\{\d+,\d+\}\$$/.test(node.pattern ?? '');
        t.ok(isLimited, `${where} has maxLength`);
      });
    }
  }
  t.end();
});

/** Keywords that have a sentence of their own in `validation-message.ts`. */
const WITH_SENTENCE = [
  ...['required', 'additionalProperties', 'enum', 'const', 'type', 'pattern', 'format', 'uniqueItems', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minProperties', 'maxProperties'],
];
/** Keywords that hold schemas, whose errors are those of the schemas; and those that only describe. */
const WITHOUT_ERRORS = [
  ...['properties', 'patternProperties', 'items', 'anyOf', 'oneOf', 'allOf', 'if', 'then', 'else', 'not'],
  ...['title', 'description', 'examples', 'default', 'verbatim', 'writeOnly'],
];

t.test('every keyword of the schemas of requests has a sentence', (t) => {
  const known = new Set([...WITH_SENTENCE, ...WITHOUT_ERRORS]);
  const names = new Set<unknown>();
  for (const { body, query } of product.routes) {
    for (const schema of [body, query]) {
      // Names of fields look like keywords here, so only keywords with a schema or a limit are compared.
      walk(schema === undefined ? {} : closedSchema(schema), '', (node, where) => {
        if (/\/(properties|patternProperties)$/.test(where)) return;
        for (const keyword of Object.keys(node)) names.add(keyword);
      });
    }
  }
  t.same(
    [...names].filter((keyword) => typeof keyword === 'string' && !keyword.startsWith('~') && !known.has(keyword)),
    [],
  );
  t.end();
});

t.test('others are answered while an attacker sends such bodies', async (t) => {
  const base = { name: 'Shop', type: 'http', url: 'https://shop.example.com/' };
  for (const field of ['channels', 'tags', 'locations', 'http']) {
    const body = `${JSON.stringify(base).slice(0, -1)},"${field}":${HOSTILE[0]}}`;
    // How long one of them keeps the others waiting is the number of steps above.
    const [answer, health] = await Promise.all([
      controlPlane.api('POST', '/v1/monitors', body),
      fetch(`${controlPlane.url}/healthz`),
    ]);
    t.same([answer.status, health.status], [422, 200], field);
  }
});
