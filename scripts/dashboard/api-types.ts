import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

/**
 * Writes the TypeScript types of an OpenAPI document to `file` if they changed. The pages are type-checked against them,
 * so a field that the API no longer has breaks the build.
 */
export async function writeApiTypes(document: string, file: string): Promise<void> {
  const text = astToString(await openapiTS(document, { defaultNonNullable: false }));
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
