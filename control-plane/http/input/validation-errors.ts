import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldError } from '../../errors.js';
import { pointerToken } from './strings.js';
import { validationMessage } from './validation-message.js';

/** More errors in one response would not help. */
const ERRORS_MAX = 50;

/** Returns ajv's errors as JSON pointers and plain sentences, in the order of the body. */
export function fieldErrors(found: readonly ErrorObject[], prefix: string): FieldError[] {
  // ajv also reports the error inside the `then` or `else`, so the error of the `if` adds nothing.
  const kept = withoutUnionNoise(found.filter((error) => error.keyword !== 'if'));
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const error of kept) {
    const field = { path: prefix + pathOf(error), message: validationMessage(error) };
    const key = `${field.path}\n${field.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    errors.push(field);
    if (errors.length === ERRORS_MAX) break;
  }
  return errors;
}

/** Returns the pointer to the error. For a missing or unknown field that is the field, not its object. */
function pathOf(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  const field = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof field === 'string' ? `${error.instancePath}/${pointerToken(field)}` : error.instancePath;
}

/**
 * Returns the errors without those of the wrong branches of unions. For a failed union, ajv reports the errors of every
 * branch. Only those of the intended branch are kept, the one whose type matches. If no branch matches, one sentence
 * names the possible values.
 */
function withoutUnionNoise(found: readonly ErrorObject[]): ErrorObject[] {
  // ajv reports inner unions before outer ones, so the outermost union is settled last.
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
  const isWrongType = (error: ErrorObject) =>
    error.instancePath === union.instancePath && (error.keyword === 'type' || error.keyword === 'const');
  const matching = [...byBranch.values()].filter((branch) => !branch.some(isWrongType));
  const best = matching.sort((a, b) => a.length - b.length)[0];
  if (best !== undefined) return [...outside, ...best];
  return [...outside, { ...union, keyword: 'union', params: { allowed: inside.flatMap(allowedBy) } }];
}

function allowedBy(error: ErrorObject): unknown[] {
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'const') return [params['allowedValue']];
  if (error.keyword === 'type') return [`${params['type']}`];
  return error.keyword === 'union' && Array.isArray(params['allowed']) ? params['allowed'] : [];
}
