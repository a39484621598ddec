import { requestAs } from './people.js';

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  example?: unknown;
  schema?: { examples?: unknown[]; enum?: unknown[]; default?: unknown; minimum?: number; format?: string };
}

/** An operation of the OpenAPI document, with a request to try it. */
export interface Operation {
  /** `GET /v1/monitors/{id}` */
  name: string;
  method: string;
  /** With example values, which name nothing that exists. */
  path: string;
  /** The documented path. */
  template: string;
  /** Undefined for an operation without a body. */
  body: unknown;
  /** `x-picket-access` */
  access: string;
  /** `x-picket-roles` */
  roles: string[];
}

/** Resolves to all operations of the OpenAPI document of a running control plane. */
export async function operationsOf(url: string): Promise<Operation[]> {
  const { body } = await requestAs(url, null, ['GET', '/v1/openapi.json']);
  return Object.entries<Record<string, Json>>(body.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      path: examplePath(template, (operation['parameters'] ?? []) as Parameter[]),
      template,
      body: exampleBody(operation),
      access: String(operation['x-picket-access']),
      roles: operation['x-picket-roles'] as string[],
    })),
  );
}

function examplePath(template: string, parameters: Parameter[]): string {
  const value = ({ example, schema }: Parameter) =>
    String(example ?? schema?.examples?.[0] ?? schema?.enum?.[0] ?? schema?.default ?? schema?.minimum ?? 'text');
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const filled = inPath.reduce((path, parameter) => path.replace(`{${parameter.name}}`, value(parameter)), template);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(value(parameter))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function exampleBody({ requestBody }: Json): unknown {
  const content = (requestBody as { content?: Record<string, { example?: unknown }> } | undefined)?.content;
  return content?.['application/json']?.example;
}
