import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldErrorCode, FieldErrorParams } from '../../errors.js';
import { NO_CONTROLS_PATTERN } from './text.js';
import { ID_PATTERN, SHOWN_VALUES_MAX } from './validation-message.js';

/** What is wrong with a field, for programs and for pages in other languages. */
interface FieldFacts {
  code: FieldErrorCode;
  params?: FieldErrorParams;
}

/** Returns one of ajv's errors as a code with its facts, the same as `validationMessage` says in words. Pure. */
export function validationFacts(error: ErrorObject, example: unknown): FieldFacts {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return { code: 'required' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { code: 'unknown_field' };
    case 'enum':
      return { code: 'one_of', params: { values: textsOf(params['allowedValues']) } };
    case 'const':
      return { code: 'one_of', params: { values: textsOf([params['allowedValue']]) } };
    case 'union':
      return unionFacts(params['allowed'], params['types']);
    case 'type':
      return { code: 'type', params: { types: textsOf([params['type']].flat()) } };
    case 'pattern':
      return patternFacts(String(params['pattern']), example);
    case 'format':
      return params['format'] === 'date-time'
        ? { code: 'timestamp' }
        : { code: 'named_format', params: { format: String(params['format']) } };
    case 'uniqueItems':
      return { code: 'duplicate' };
    case 'multipleOf':
      return { code: 'multiple_of', params: { of: Number(params['multipleOf']) } };
    default:
      return limitFacts(error.keyword, Number(params['limit']));
  }
}

const LIMIT_CODES: Readonly<Record<string, readonly [code: FieldErrorCode, fact: 'min' | 'max']>> = {
  minimum: ['min', 'min'],
  maximum: ['max', 'max'],
  exclusiveMinimum: ['above', 'min'],
  exclusiveMaximum: ['below', 'max'],
  minLength: ['min_length', 'min'],
  maxLength: ['max_length', 'max'],
  minItems: ['min_items', 'min'],
  maxItems: ['max_items', 'max'],
  minProperties: ['min_items', 'min'],
  maxProperties: ['max_items', 'max'],
};

function limitFacts(keyword: string, limit: number): FieldFacts {
  const known = LIMIT_CODES[keyword];
  if (known === undefined) return { code: 'invalid' };
  const [code, fact] = known;
  if (limit === 1 && (code === 'min_length' || code === 'min_items')) return { code: 'empty' };
  return { code, params: { [fact]: limit } };
}

function unionFacts(allowed: unknown, types: unknown): FieldFacts {
  const constants = Array.isArray(allowed) ? allowed : [];
  if (constants.length === 0 && Array.isArray(types)) return { code: 'type', params: { types: textsOf(types) } };
  return { code: 'one_of', params: { values: textsOf(constants) } };
}

function patternFacts(pattern: string, example: unknown): FieldFacts {
  if (pattern === NO_CONTROLS_PATTERN) return { code: 'controls' };
  const prefix = ID_PATTERN.exec(pattern)?.[1];
  if (prefix !== undefined) return { code: 'id', params: { prefix } };
  return { code: 'format', ...(typeof example === 'string' ? { params: { example } } : {}) };
}

function textsOf(values: unknown): string[] {
  const list: unknown[] = Array.isArray(values) ? values : [];
  return list.slice(0, SHOWN_VALUES_MAX).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}
