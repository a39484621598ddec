import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The parts of an OpenAPI document that tests use. */
export interface OpenApi {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Reply> };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; schema: unknown; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Reply | { $ref: string }>;
}

export interface Reply {
  description: string;
  headers: Record<string, { required?: boolean; $ref?: string }>;
  content?: Record<string, Media>;
}

interface Media {
  schema: unknown;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** Returns every operation with its name, such as `GET /v1/monitors`. */
export function operationsOf(document: OpenApi): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

export function replyOf(document: OpenApi, operation: Operation, status: number): Reply | undefined {
  const reply = operation.responses[status];
  if (reply === undefined || !('$ref' in reply)) return reply;
  return document.components.responses[reply.$ref.split('/').at(-1) ?? ''];
}

/** Validates values with schemas of the document, named by their path in it. */
export function schemaValidator(document: OpenApi): (path: readonly string[], value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  return (path, value) => {
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = ajv.getSchema(`document#/${pointer}`);
    if (validate === undefined) return [`there is no schema at ${pointer}`];
    return validate(value) === true
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

/** Returns every example and default of the document with the path of its schema. */
export function examplesOf(document: OpenApi): { schema: string[]; value: unknown }[] {
  const found: { schema: string[]; value: unknown }[] = [];
  const walk = (node: unknown, path: string[]): void => {
    if (typeof node !== 'object' || node === null) return;
    const members: Record<string, unknown> = { ...node };
    if (members['schema'] !== undefined) {
      // The examples of a media type or a parameter are next to its schema.
      if (members['example'] !== undefined) found.push({ schema: [...path, 'schema'], value: members['example'] });
      for (const { value } of Object.values<{ value: unknown }>({ ...Object(members['examples']) })) {
        found.push({ schema: [...path, 'schema'], value });
      }
    } else {
      if (Array.isArray(members['examples'])) {
        for (const value of members['examples']) found.push({ schema: path, value });
      }
      if (members['default'] !== undefined) found.push({ schema: path, value: members['default'] });
    }
    for (const [name, inner] of Object.entries(members)) {
      if (!['example', 'examples', 'default', 'enum', 'const'].includes(name)) walk(inner, [...path, name]);
    }
  };
  walk(document, []);
  return found;
}

export interface Exchange {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  headers: Headers;
  /** The parsed body. Any value if it is not JSON. */
  body: unknown;
}

/** Headers that only some responses have, so that the document must say which. */
const OWN_HEADERS = ['ETag', 'Location'];

/** Returns the differences between a response and the document. */
export function createConformance(document: OpenApi): (exchange: Exchange) => string[] {
  const validate = schemaValidator(document);
  const templates = Object.keys(document.paths)
    .map((path) => ({ path, pattern: new RegExp(`^${unprefixed(path).replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  return ({ method, path, status, headers, body }) => {
    const asked = unprefixed(path.split('?')[0] ?? '');
    const template = templates.find(({ pattern }) => pattern.test(asked))?.path ?? '';
    const operation = document.paths[template]?.[method.toLowerCase()];
    if (operation === undefined) return [];
    const reply = replyOf(document, operation, status);
    if (reply === undefined) return [`the status ${status} is not in the document`];
    const missing = Object.entries(reply.headers)
      .map(([name, header]) => ({ name, header: '$ref' in header ? { required: true } : header }))
      .filter(({ name, header }) => header.required === true && !headers.has(name))
      .map(({ name }) => `the header ${name} is missing`);
    const undocumented = OWN_HEADERS.filter((name) => headers.has(name) && reply.headers[name] === undefined);
    missing.push(...undocumented.map((name) => `the header ${name} is not in the document`));
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const media = reply.content?.[type];
    if (media === undefined) return reply.content === undefined ? missing : [...missing, `it is ${type}`];
    if (status >= 400) {
      const { code } = Object(body);
      const isKnown = Object.keys(media.examples ?? {}).includes(code);
      return isKnown ? missing : [...missing, `the code ${code} is not in the document: add it to the route's errors`];
    }
    const inside = ['paths', template, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
    return type.endsWith('json') ? [...missing, ...validate(inside, body)] : missing;
  };
}

function unprefixed(path: string): string {
  return path.replace(/^\/api(?=\/v1\/)/, '');
}
