import { type TObject, type TSchema, Type } from 'typebox';
import { AppError, type FieldError, invalidFields, notFound } from '../../errors.js';
import type { Route } from '../route.js';
import { parseQuery } from './query.js';
import type { RequestBody } from './read-body.js';
import { createSchemaCompiler, type SchemaCheck } from './schema-check.js';
import { parseTimestamp } from './time/timestamp.js';
import { TIMESTAMP_MESSAGE, UNKNOWN_FIELD_MESSAGE } from './validation-message.js';

/** The input of a request after validation. */
export interface ValidInput {
  query: Record<string, unknown>;
  body: unknown;
}

export interface RouteValidator {
  /** Throws 404 for a malformed id, because no object can have it. */
  params(raw: Record<string, string>): void;
  /** Throws one 422 with all errors in query and body. */
  input(querystring: string, body: RequestBody): ValidInput;
}

const NOTHING: TObject = Type.Object({}, { additionalProperties: false });

/** Returns a function that makes the validator of a route. Its schemas are compiled at its first request. */
export function createRouteValidators(): (route: Route) => RouteValidator {
  const compile = createSchemaCompiler();
  return (route) => {
    const params = compile(route.params ?? NOTHING);
    const query = compile(route.query ?? NOTHING);
    const body = compile(route.body ?? NOTHING);
    return {
      params(raw) {
        if (!params.read(raw).ok) throw notFound('object');
      },
      input(querystring, received) {
        const checkedQuery = checkQuery(route, query, querystring);
        const checkedBody = checkBody(route, body, received);
        const errors = [...checkedQuery.errors, ...checkedBody.errors];
        if (errors.length > 0) throw invalidFields(errors);
        return { query: checkedQuery.value, body: checkedBody.value };
      },
    };
  };
}

function checkQuery(route: Route, schema: SchemaCheck<unknown>, querystring: string) {
  const parsed = parseQuery(querystring, route.query);
  const checked = schema.read(parsed.value);
  const found = [...parsed.errors, ...(checked.ok ? [] : checked.errors)];
  const errors = found.length > 0 ? found : rangeErrors(parsed.value, route.query);
  return { value: parsed.value, errors: distinct(errors).map((error) => queryError(error, parsed.value)) };
}

/** A `+` that is not encoded arrives as a space, which is the usual reason for a wrong time with an offset. */
const LOST_PLUS = / \d\d:\d\d$/;

/** Returns an error of a parameter in the words of a query string. */
function queryError({ path, message, ...facts }: FieldError, query: Record<string, unknown>): FieldError {
  const value = query[path.slice(1)];
  const lostPlus = message === TIMESTAMP_MESSAGE && typeof value === 'string' && LOST_PLUS.test(value);
  const words = message === UNKNOWN_FIELD_MESSAGE ? 'is not a known parameter' : message;
  return { path: `/query${path}`, message: lostPlus ? `${words}; in a URL, write + as %2B` : words, ...facts };
}

function checkBody(route: Route, schema: SchemaCheck<unknown>, received: RequestBody) {
  if (received.kind === 'none' && route.body !== undefined && route.bodyOptional !== true) {
    const needed = route.textBody === undefined ? 'a JSON object' : 'a file';
    throw new AppError('invalid_json', `The body is empty. This request needs ${needed}.`);
  }
  const checked = schema.read(received.kind === 'none' ? {} : received.value);
  if (!checked.ok) return { value: null, errors: distinct(checked.errors) };
  return { value: checked.value, errors: rangeErrors(checked.value, route.body) };
}

/** Returns an error if the schema has the timestamps `from` and `to` and `from` is later. */
function rangeErrors(value: unknown, schema: TSchema | undefined): FieldError[] {
  const properties: Record<string, unknown> = Object(Object(schema)['properties']);
  const isTime = (name: string) => JSON.stringify(properties[name] ?? null).includes('"date-time"');
  if (typeof value !== 'object' || value === null || !isTime('from') || !isTime('to')) return [];
  const { from, to } = value as Record<string, unknown>;
  if (typeof from !== 'string' || typeof to !== 'string') return [];
  const [fromMs, toMs] = [parseTimestamp(from), parseTimestamp(to)];
  return fromMs !== null && toMs !== null && fromMs > toMs
    ? [{ path: '/from', message: 'must not be after to', code: 'order' }]
    : [];
}

function distinct(errors: FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    const key = `${error.path}\n${error.message}`;
    return !seen.has(key) && seen.add(key);
  });
}
