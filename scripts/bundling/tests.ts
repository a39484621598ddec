import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { REQUIRE, TARGET } from '../pack.js';
import { noMapsOfPackages, packagesAtFirstUse, urlsOfModules } from './plugins.js';

/** They have native libraries, workers or programs of their own, or belong to the test run. */
const NOT_BUNDLED = [
  'koffi',
  '@node-rs/argon2',
  'tap',
  'playwright-core',
  'esbuild',
  'typescript',
  'oidc-provider',
  '@seriousme/openapi-schema-validator',
];

/**
 * Bundles compiled test files, because each loads 850 modules on average. What several share is bundled once. `folder` has
 * the compiled files, which keep their names in `outdir`.
 */
export async function bundleTests(compiled: readonly string[], folder: string, outdir: string): Promise<void> {
  await build({
    entryPoints: [...compiled],
    outdir,
    outbase: folder,
    chunkNames: join('chunks', '[name]-[hash]'),
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: TARGET, external: NOT_BUNDLED },
    ...{ sourcemap: true, sourcesContent: false, legalComments: 'none', logLevel: 'warning' },
    banner: { js: REQUIRE },
    plugins: [
      // Programs beside a test, and files of packages, are where they are without bundles.
      urlsOfModules((path) => JSON.stringify(pathToFileURL(path).href)),
      packagesAtFirstUse,
      noMapsOfPackages,
    ],
  });
}
