import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeApiTypes } from './api-types.js';
import { bundle } from './bundle.js';
import { openApiDocumentText } from './openapi-document.js';

/*
 * Builds the dashboard into build/dashboard: types of the API, type check, scripts and styles with compressed copies.
 * Does nothing while pages, API and packages are as they were at the last build.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WEB = join(ROOT, 'control-plane/dashboard/web');
const OUTPUT = join(ROOT, 'build/dashboard');
const STAMP = join(ROOT, 'build/dashboard/built');
const API_TYPES = join(ROOT, '.cache/dashboard/openapi.d.ts');
/** Scripts and styles of the first page, compressed. */
const APP_KB_MAX = 230;
const ENTRANCE_KB_MAX = 30;

async function main(): Promise<void> {
  const document = await openApiDocumentText();
  await writeApiTypes(document, API_TYPES);
  const inputs = inputsHash(document);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) return;
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-b', WEB], { stdio: 'inherit' });
  const sizes = await bundle(WEB, OUTPUT);
  const [app, entrance] = [sizes.app / 1_000, sizes.entrance / 1_000];
  console.log(
    `picket: dashboard: ${app.toFixed(0)} kB, log-in ${entrance.toFixed(0)} kB (compressed scripts and styles)`,
  );
  if (app > APP_KB_MAX) throw new Error(`the first page may have ${APP_KB_MAX} kB`);
  if (entrance > ENTRANCE_KB_MAX) throw new Error(`the log-in page may have ${ENTRANCE_KB_MAX} kB`);
  writeFileSync(STAMP, inputs);
}

/** Returns a hash of everything that the output depends on. */
function inputsHash(document: string): string {
  const hash = createHash('sha256')
    .update(document)
    .update(readFileSync(join(ROOT, 'package-lock.json')));
  const files = readdirSync(WEB, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = [...files, ...readdirSync(join(ROOT, 'scripts/dashboard'), { withFileTypes: true })];
  for (const path of paths.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
    hash.update(path.slice(ROOT.length)).update(readFileSync(path));
  }
  return hash.digest('hex');
}

// Slices start timers when they are opened, so the process ends itself.
main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
