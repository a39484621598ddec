import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldError } from '../../errors.js';
import { NO_CONTROLS_MESSAGE, pointerToken } from './strings.js';
import { NO_CONTROLS_PATTERN } from './text.js';

/** More than these help nobody; the first fifty say what is wrong. */
const ERRORS_MAX = 50;
const SHOWN_VALUES_MAX = 40;

/** ajv's findings as JSON pointers and plain sentences, all of them, in the order of the body. */
export function fieldErrors(found: readonly ErrorObject[], prefix: string): FieldError[] {
  // What is wrong inside a `then` or an `else` is named itself; that the branch does not fit says nothing more.
  const kept = withoutUnionNoise(found.filter((error) => error.keyword !== 'if'));
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const error of kept) {
    const field = { path: prefix + pathOf(error), message: messageOf(error) };
    const key = `${field.path}\n${field.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    errors.push(field);
    if (errors.length === ERRORS_MAX) break;
  }
  return errors;
}

/** A missing or unknown member is named itself, not the object that it should be in. */
function pathOf(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  const member = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof member === 'string' ? `${error.instancePath}/${pointerToken(member)}` : error.instancePath;
}

function messageOf(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known member';
    case 'enum':
      return oneOf(params['allowedValues']);
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'union':
      return oneOf(params['allowed']);
    case 'pattern':
      return params['pattern'] === NO_CONTROLS_PATTERN ? NO_CONTROLS_MESSAGE : 'does not have the right form';
    case 'format':
      return params['format'] === 'date-time' ? 'must be an RFC 3339 timestamp' : `must be a valid ${params['format']}`;
    case 'uniqueItems':
      return 'must not name anything twice';
    default:
      return error.message ?? 'is not valid';
  }
}

function oneOf(values: unknown): string {
  const list: unknown[] = Array.isArray(values) ? values : [];
  const shown = list
    .slice(0, SHOWN_VALUES_MAX)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return `must be one of ${shown.join(', ')}`;
}

/**
 * A union that fails yields the findings of each of its branches. Kept are those of the branch that was meant:
 * the one whose type fits. Where none fits, or several do, one sentence names the possibilities.
 */
function withoutUnionNoise(found: readonly ErrorObject[]): ErrorObject[] {
  // Inner unions come before the outer ones that hold them, so the outermost is settled last.
  return found
    .filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
    .reduce<ErrorObject[]>((errors, union) => settleUnion(errors, union), [...found]);
}

function settleUnion(errors: ErrorObject[], union: ErrorObject): ErrorObject[] {
  if (!errors.includes(union)) return errors;
  const inside = errors.filter(
    (error) => error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath),
  );
  const outside = errors.filter((error) => error !== union && !inside.includes(error));
  const byBranch = new Map<string, ErrorObject[]>();
  for (const error of inside) {
    const branch = error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0] ?? '';
    byBranch.set(branch, [...(byBranch.get(branch) ?? []), error]);
  }
  const isWrongKind = (error: ErrorObject) =>
    error.instancePath === union.instancePath && (error.keyword === 'type' || error.keyword === 'const');
  const meant = [...byBranch.values()].filter((branch) => !branch.some(isWrongKind));
  const best = meant.sort((a, b) => a.length - b.length)[0];
  if (best !== undefined) return [...outside, ...best];
  return [...outside, { ...union, keyword: 'union', params: { allowed: inside.flatMap(allowedBy) } }];
}

function allowedBy(error: ErrorObject): unknown[] {
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'const') return [params['allowedValue']];
  if (error.keyword === 'type') return [`${params['type']}`];
  return error.keyword === 'union' && Array.isArray(params['allowed']) ? params['allowed'] : [];
}
