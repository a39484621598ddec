import type { ErrorObject } from 'ajv/dist/2020.js';
import { NO_CONTROLS_MESSAGE } from './strings.js';
import { NO_CONTROLS_PATTERN } from './text.js';

const SHOWN_VALUES_MAX = 40;

/** Returns one of ajv's errors as a sentence without its subject: `is missing`. */
export function validationMessage(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known field';
    case 'enum':
      return oneOf(params['allowedValues']);
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'union':
      return oneOf(params['allowed']);
    case 'type':
      return typeMessage(params['type']);
    case 'pattern':
      return params['pattern'] === NO_CONTROLS_PATTERN ? NO_CONTROLS_MESSAGE : 'has an invalid format';
    case 'format':
      return params['format'] === 'date-time' ? 'must be an RFC 3339 timestamp' : `must be a valid ${params['format']}`;
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
  const names = (Array.isArray(types) ? types : [types]).map((type) => TYPE_NAMES[type] ?? `a ${type}`);
  return `must be ${names.join(' or ')}`;
}

const TYPE_NAMES: Record<string, string> = {
  integer: 'an integer',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function oneOf(values: unknown): string {
  const list: unknown[] = Array.isArray(values) ? values : [];
  const shown = list
    .slice(0, SHOWN_VALUES_MAX)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return `must be one of ${shown.join(', ')}`;
}
