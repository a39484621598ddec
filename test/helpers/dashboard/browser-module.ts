import { build } from 'esbuild';

/**
 * Resolves to the exports of a module of the pages, by its path in control-plane/dashboard/web/src. `Exports` is what the
 * test uses of them: tests and pages are compiled separately, because they know different globals.
 */
export async function browserModule<Exports>(path: string): Promise<Exports> {
  const { outputFiles } = await build({
    entryPoints: [`control-plane/dashboard/web/src/${path}`],
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral', target: 'node20' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`);
}
