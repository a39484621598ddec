import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldError } from '../../errors.js';
import { FIELD_ERRORS_MAX } from './error-limits.js';
import { pointerToken } from './strings.js';
import { validationFacts } from './validation-code.js';
import { validationMessage } from './validation-message.js';

/**
 * Returns ajv's errors for the schema as JSON pointers and plain sentences, in the order of the body, at most
 * `FIELD_ERRORS_MAX`.
 */
export function fieldErrors(found: readonly ErrorObject[], schema: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const error of withoutNoise(found)) {
    const example = exampleOf(schema, error);
    const message = validationMessage(error, example);
    const field: FieldError = { path: pathOf(error), message, ...validationFacts(error, example) };
    const key = `${field.path}\n${field.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    errors.push(field);
    if (errors.length === FIELD_ERRORS_MAX) break;
  }
  return errors;
}

/** Returns the first example of the part of the schema that the error is about; undefined without one. */
function exampleOf(schema: unknown, { schemaPath }: ErrorObject): unknown {
  const tokens = schemaPath.split('/').slice(1, -1);
  let node: unknown = schema;
  for (const token of tokens)
    node = Object(node)[decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')];
  const examples: unknown = Object(node)['examples'];
  return Array.isArray(examples) ? examples[0] : undefined;
}

/** Returns the pointer to the error. For a missing or unknown field that is the field, not its object. */
function pathOf(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  const field = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof field === 'string' ? `${error.instancePath}/${pointerToken(field)}` : error.instancePath;
}

/**
 * Returns the errors without those of the wrong branches of unions. For a failed union, ajv reports the errors of every
 * branch, followed by one for the union itself. Only those of the intended branch are kept, the one whose type matches.
 * If no branch matches, one error names the possible values.
 */
function withoutNoise(found: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of found) {
    // ajv also reports the error inside the `then` or `else`, so the error of the `if` adds nothing.
    if (error.keyword === 'if') continue;
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') kept.push(error);
    // The errors inside are the last ones, so each error is moved at most once for each union around it.
    else kept.push(...settleUnion(kept.splice(startOfInside(kept, error)), error));
  }
  return kept;
}

/** Returns where the errors inside the union begin. */
function startOfInside(errors: readonly ErrorObject[], union: ErrorObject): number {
  let start = errors.length;
  for (let error = errors[start - 1]; error !== undefined && isInside(error, union); error = errors[start - 1]) start--;
  return start;
}

function isInside({ schemaPath, instancePath }: ErrorObject, union: ErrorObject): boolean {
  const at = union.instancePath;
  if (!schemaPath.startsWith(`${union.schemaPath}/`)) return false;
  return instancePath === at || instancePath.startsWith(`${at}/`);
}

function settleUnion(inside: readonly ErrorObject[], union: ErrorObject): ErrorObject[] {
  const byBranch = new Map<string, ErrorObject[]>();
  for (const error of inside) {
    const branch = error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] ?? '';
    const errors = byBranch.get(branch) ?? [];
    errors.push(error);
    byBranch.set(branch, errors);
  }
  const isWrongType = (error: ErrorObject) =>
    error.instancePath === union.instancePath && (error.keyword === 'type' || error.keyword === 'const');
  const matching = [...byBranch.values()].filter((branch) => !branch.some(isWrongType));
  const best = matching.sort((a, b) => a.length - b.length)[0];
  return (
    best ?? [
      { ...union, keyword: 'union', params: { allowed: inside.flatMap(constantsOf), types: inside.flatMap(typesOf) } },
    ]
  );
}

function constantsOf(error: ErrorObject): unknown[] {
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'const') return [params['allowedValue']];
  return error.keyword === 'union' && Array.isArray(params['allowed']) ? params['allowed'] : [];
}

function typesOf(error: ErrorObject): unknown[] {
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'type') return [params['type']].flat();
  return error.keyword === 'union' && Array.isArray(params['types']) ? params['types'] : [];
}
