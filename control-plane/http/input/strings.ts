import type { TSchema } from 'typebox';
import type { FieldError } from '../../errors.js';

/** Deeper than any body of the API. Recursive code is safe within it. */
export const BODY_DEPTH_MAX = 32;

const CONTROLS = /[\p{Cc}\p{Cs}]/u;
/** The only characters that verbatim text must not contain: neither the database nor the protocols can carry them. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** The part of a JSON Schema node that is used here. */
interface SchemaNode {
  verbatim?: unknown;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode | SchemaNode[] | boolean;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  allOf?: SchemaNode[];
}

/**
 * Trims every string of a parsed body in place, before its length is validated, and returns an error for every control
 * character. Text that the schema marks as `verbatim` stays unchanged. A `__proto__` field is an error: JSON.parse
 * creates it as an ordinary field, and a later copy could turn it into a prototype.
 */
export function normalizeStrings(
  value: unknown,
  schema: TSchema | undefined,
): { value: unknown; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const normalized = normalize(value, schema === undefined ? [] : branches([schema as SchemaNode]), '', errors);
  return { value: normalized, errors };
}

function normalize(value: unknown, nodes: SchemaNode[], path: string, errors: FieldError[]): unknown {
  if (typeof value === 'string') return normalizeText(value, nodes, path, errors);
  if (Array.isArray(value)) {
    const inner = branches(nodes.flatMap((node) => itemNodes(node)));
    for (let index = 0; index < value.length; index++) {
      value[index] = normalize(value[index], inner, `${path}/${index}`, errors);
    }
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const inside = `${path}/${pointerToken(name)}`;
    if (name === '__proto__') errors.push({ path: inside, message: 'is not a known field' });
    else if (CONTROLS.test(name)) errors.push({ path: inside, message: 'has a control character in its name' });
    else
      fields[name] = normalize(fields[name], branches(nodes.flatMap((node) => fieldNodes(node, name))), inside, errors);
  }
  return fields;
}

function normalizeText(text: string, nodes: SchemaNode[], path: string, errors: FieldError[]): string {
  const verbatim = nodes.some((node) => node.verbatim === true);
  const clean = verbatim ? text : text.trim();
  if ((verbatim ? UNSTORABLE : CONTROLS).test(clean)) errors.push({ path, message: NO_CONTROLS_MESSAGE });
  return clean;
}

export const NO_CONTROLS_MESSAGE = 'must not contain control characters';

/** Returns the nodes and, recursively, the branches of their `anyOf`, `oneOf` and `allOf`. */
function branches(nodes: SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => {
    const parts = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];
    return parts.length === 0 ? [node] : [node, ...branches(parts)];
  });
}

function fieldNodes(node: SchemaNode, name: string): SchemaNode[] {
  const named = Object.hasOwn(node.properties ?? {}, name) ? node.properties?.[name] : undefined;
  if (named !== undefined) return [named];
  const byPattern = Object.entries(node.patternProperties ?? {})
    .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
    .map(([, inner]) => inner);
  const rest = typeof node.additionalProperties === 'object' ? [node.additionalProperties] : [];
  return [...byPattern, ...rest];
}

function itemNodes(node: SchemaNode): SchemaNode[] {
  if (Array.isArray(node.items)) return node.items;
  return typeof node.items === 'object' ? [node.items] : [];
}

/** Returns a field name as a token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Returns whether objects and arrays are nested more than `max` levels deep. It does not recurse, so it is safe for any
 * depth.
 */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < max && level.length > 0; depth++) {
    level = level.flatMap((container) => Object.values(container)).filter(isContainer);
  }
  return level.length > 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
