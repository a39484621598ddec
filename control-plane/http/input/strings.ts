import type { TSchema } from 'typebox';
import type { FieldError } from '../../errors.js';

/** Deeper than any body of ours; a recursive reader is safe within it. */
export const BODY_DEPTH_MAX = 32;

const CONTROLS = /[\p{Cc}\p{Cs}]/u;
/** In verbatim text: only what no store and no wire could carry. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** A node of a JSON Schema, as far as it is followed here. */
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
 * Trims every string of a parsed body in place, before the schema judges its length, and says where a control
 * character stands. Text that the schema calls `verbatim` is left alone. Refuses `__proto__` members, which
 * JSON.parse makes into plain members that a later copy could turn into a prototype.
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
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const inside = `${path}/${pointerToken(name)}`;
    if (name === '__proto__') errors.push({ path: inside, message: 'is not a known member' });
    else if (CONTROLS.test(name)) errors.push({ path: inside, message: 'has a control character in its name' });
    else
      members[name] = normalize(
        members[name],
        branches(nodes.flatMap((node) => memberNodes(node, name))),
        inside,
        errors,
      );
  }
  return members;
}

function normalizeText(text: string, nodes: SchemaNode[], path: string, errors: FieldError[]): string {
  const verbatim = nodes.some((node) => node.verbatim === true);
  const clean = verbatim ? text : text.trim();
  if ((verbatim ? UNSTORABLE : CONTROLS).test(clean)) errors.push({ path, message: NO_CONTROLS_MESSAGE });
  return clean;
}

export const NO_CONTROLS_MESSAGE = 'must not contain control characters';

/** The nodes themselves and what they are made of. */
function branches(nodes: SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => {
    const parts = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];
    return parts.length === 0 ? [node] : [node, ...branches(parts)];
  });
}

function memberNodes(node: SchemaNode, name: string): SchemaNode[] {
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

/** RFC 6901: one member name as it stands in a pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Whether objects and arrays stand more than `max` deep; looks without recursion, so any depth is safe to ask about. */
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
