import type { ErrorObject } from 'ajv/dist/2020.js';
import { NO_CONTROLS_MESSAGE } from './strings.js';
import { NO_CONTROLS_PATTERN } from './text.js';

export const SHOWN_VALUES_MAX = 40;

export const UNKNOWN_FIELD_MESSAGE = 'is not a known field';
export const TIMESTAMP_MESSAGE = 'must be an RFC 3339 timestamp';

/**
 * Returns one of ajv's errors as a sentence without its subject: `is missing`. `example` is a valid value of the place,
 * if its schema has one.
 */
export function validationMessage(error: ErrorObject, example: unknown): string {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return UNKNOWN_FIELD_MESSAGE;
    case 'enum':
      return oneOf(params['allowedValues']);
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'union':
      return unionMessage(params['allowed'], params['types']);
    case 'type':
      return typeMessage(params['type']);
    case 'pattern':
      return params['pattern'] === NO_CONTROLS_PATTERN
        ? NO_CONTROLS_MESSAGE
        : formatMessage(String(params['pattern']), example);
    case 'format':
      return params['format'] === 'date-time' ? TIMESTAMP_MESSAGE : `must be a valid ${params['format']}`;
    case 'uniqueItems':
      return 'must not contain duplicates';
    case 'multipleOf':
      return `must be a multiple of ${params['multipleOf']}`;
    default:
      return LIMIT_MESSAGES[error.keyword]?.(Number(params['limit'])) ?? UNKNOWN_MESSAGE;
  }
}

/** A test fails when a schema of the product has a keyword that leads to this sentence. */
const UNKNOWN_MESSAGE = 'is not valid';

const LIMIT_MESSAGES: Record<string, (limit: number) => string> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be greater than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  minLength: (limit) => minimumSize(limit, 'characters'),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => minimumSize(limit, 'items'),
  maxItems: (limit) => `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
  minProperties: (limit) => minimumSize(limit, 'fields'),
  maxProperties: (limit) => `must have at most ${limit} ${limit === 1 ? 'field' : 'fields'}`,
};

function minimumSize(limit: number, unit: string): string {
  return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${unit}`;
}

function typeMessage(types: unknown): string {
  const names = (Array.isArray(types) ? types : [types]).map((type) => TYPE_NAMES[String(type)] ?? `a ${type}`);
  return `must be ${names.join(' or ')}`;
}

const TYPE_NAMES: Record<string, string> = {
  integer: 'an integer',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** Returns the message for a value that matches no branch of a union: constants, types, or both. */
function unionMessage(allowed: unknown, types: unknown): string {
  const constants: unknown[] = Array.isArray(allowed) ? allowed : [];
  const names: unknown[] = Array.isArray(types) ? types : [];
  return constants.length === 0 && names.length > 0 ? typeMessage(names) : oneOf([...constants, ...names]);
}

/** The pattern of ids begins with their prefix. */
export const ID_PATTERN = /^\^([a-z]+)_\[/;

/** Says which format is expected: by the prefix of an id, or by an example. */
function formatMessage(pattern: string, example: unknown): string {
  const prefix = ID_PATTERN.exec(pattern)?.[1];
  if (prefix !== undefined) return `must be an id of the form ${prefix}_…`;
  return typeof example === 'string'
    ? `has an invalid format; a valid value is ${JSON.stringify(example)}`
    : 'has an invalid format';
}

function oneOf(values: unknown): string {
  const list: unknown[] = Array.isArray(values) ? values : [];
  const shown = list
    .slice(0, SHOWN_VALUES_MAX)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return `must be one of ${shown.join(', ')}`;
}
