import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `close-request-schemas.ts FROM TO` copies an OpenAPI description so that its requests allow only the properties that it
 * names. Stripe's description closes only the outermost object, so stripe-mock would accept a misspelt parameter below it.
 */
const [from = '', to = ''] = process.argv.slice(2);

function close(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const isObject = 'type' in schema && schema.type === 'object' && 'properties' in schema;
  if (isObject && !('additionalProperties' in schema)) Object.assign(schema, { additionalProperties: false });
  for (const inner of Object.values(schema)) close(inner);
}

interface Operation {
  requestBody?: unknown;
  parameters?: { schema: unknown }[];
}

const description: { paths: Record<string, Record<string, Operation>> } = JSON.parse(readFileSync(from, 'utf8'));
for (const path of Object.values(description.paths)) {
  for (const { requestBody, parameters = [] } of Object.values(path)) {
    close(requestBody);
    for (const { schema } of parameters) close(schema);
  }
}
writeFileSync(to, JSON.stringify(description));
