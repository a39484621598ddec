import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Returns the arguments for Node.js to run a TypeScript file of the tests, or its output if the tests are compiled. */
export function nodeArguments(script: URL): string[] {
  const path = fileURLToPath(script);
  return existsSync(path) ? ['--import', 'tsx', path] : [path.replace(/\.ts$/, '.js')];
}
