import type { TSchema } from 'typebox';

/** What is read of a schema before a value is validated: one place of the value. */
export interface SchemaOutline {
  /** Text at this place is kept unchanged: it is neither trimmed nor refused for line breaks. */
  verbatim: boolean;
  /** The schema allows neither an object nor an array here. */
  isScalar: boolean;
  /** Items that an array at this place can have; null without a limit. */
  itemsMax: number | null;
  /** Fields that an object at this place can have; null without a limit. */
  fieldsMax: number | null;
  item: SchemaOutline;
  /** Whether the schema has a field of this name, not only a rule for all names. */
  isNamed(name: string): boolean;
  /** Returns the outline of a field; null for one that the schema refuses because of its name. */
  field(name: string): SchemaOutline | null;
}

/** The part of a JSON Schema node that is used here. */
interface SchemaNode {
  verbatim?: unknown;
  type?: string | string[];
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode | SchemaNode[] | boolean;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  allOf?: SchemaNode[];
  then?: SchemaNode;
  else?: SchemaNode;
}

const ANYTHING: SchemaOutline = {
  verbatim: false,
  isScalar: false,
  itemsMax: null,
  fieldsMax: null,
  get item() {
    return ANYTHING;
  },
  isNamed: () => false,
  field: () => ANYTHING,
};

/** Returns the outline of a schema. Made once for each route, so that reading a value costs no search in the schema. */
export function outlineOf(schema: TSchema): SchemaOutline {
  return outlineOfNodes([schema as SchemaNode]);
}

function outlineOfNodes(roots: readonly SchemaNode[]): SchemaOutline {
  if (roots.length === 0) return ANYTHING;
  const nodes = branches(roots);
  const names = new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})));
  const named = new Map(
    [...names].map((name) => [name, outlineOfNodes(nodes.flatMap((node) => fieldNodes(node, name)))]),
  );
  const others = otherFields(nodes);
  return {
    verbatim: nodes.some((node) => node.verbatim === true),
    isScalar: nodes.every(isScalar),
    itemsMax: largest(nodes.map((node) => node.maxItems)),
    fieldsMax: largest(nodes.map((node) => node.maxProperties)),
    item: outlineOfNodes(nodes.flatMap(itemNodes)),
    isNamed: (name) => named.has(name),
    field: (name) => named.get(name) ?? others(name),
  };
}

/** Returns the nodes and, recursively, their branches. */
function branches(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => {
    const conditional = [node.then, node.else].filter((branch) => branch !== undefined);
    const parts = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? []), ...conditional];
    return parts.length === 0 ? [node] : [node, ...branches(parts)];
  });
}

function fieldNodes(node: SchemaNode, name: string): SchemaNode[] {
  const named = Object.hasOwn(node.properties ?? {}, name) ? node.properties?.[name] : undefined;
  if (named !== undefined) return [named];
  return [...patternsOf(node).flatMap(([pattern, inner]) => (pattern.test(name) ? [inner] : [])), ...restOf(node)];
}

/** Returns the outlines of fields without a name of their own. There is one for each set of patterns that can match. */
function otherFields(nodes: readonly SchemaNode[]): (name: string) => SchemaOutline | null {
  const patterns = nodes.flatMap(patternsOf);
  const rest = nodes.flatMap(restOf);
  const isClosed = rest.length === 0 && nodes.some(isObject) && nodes.every((node) => !isOpen(node));
  const known = new Map<string, SchemaOutline | null>();
  const outlineFor = (matching: typeof patterns) =>
    matching.length === 0 && isClosed ? null : outlineOfNodes([...matching.map(([, inner]) => inner), ...rest]);
  if (patterns.length === 0) {
    const outline = outlineFor([]);
    return () => outline;
  }
  return (name) => {
    const matching = patterns.filter(([pattern]) => pattern.test(name));
    const key = matching.map(([pattern]) => pattern.source).join('\n');
    const outline = known.get(key) ?? outlineFor(matching);
    known.set(key, outline);
    return outline;
  };
}

function patternsOf(node: SchemaNode): [RegExp, SchemaNode][] {
  return Object.entries(node.patternProperties ?? {}).map(([pattern, inner]) => [new RegExp(pattern, 'u'), inner]);
}

function restOf(node: SchemaNode): SchemaNode[] {
  return typeof node.additionalProperties === 'object' ? [node.additionalProperties] : [];
}

function itemNodes(node: SchemaNode): SchemaNode[] {
  if (Array.isArray(node.items)) return node.items;
  return typeof node.items === 'object' ? [node.items] : [];
}

/** Whether a node, apart from its branches, allows only text, numbers, booleans and null. */
function isScalar({ type, ...node }: SchemaNode): boolean {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const hasBranches = [node.anyOf, node.oneOf].some((branches) => branches !== undefined);
  if (types.length === 0) return hasBranches;
  return types.every((one) => one !== 'object' && one !== 'array');
}

function isObject(node: SchemaNode): boolean {
  return node.type === 'object' || node.properties !== undefined;
}

/** Whether an object can have fields that the node does not name. */
function isOpen(node: SchemaNode): boolean {
  return isObject(node) && node.additionalProperties !== false;
}

function largest(limits: readonly (number | undefined)[]): number | null {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}
