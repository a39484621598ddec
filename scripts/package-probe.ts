import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probePackageName } from '../control-plane/install/packages.js';
import { bundle, type Packed, pack, REQUIRE, readManifest } from './pack.js';

/** Files of koffi, which is not bundled because its native library is a separate file. */
const KOFFI_FILES = [
  'package.json',
  'LICENSE.txt',
  'index.js',
  'index.cjs',
  'src/koffi/index.js',
  'src/koffi/index.cjs',
];
const NATIVE = /^koffi-linux-/;

/** Packs the probe as one JavaScript file, with the files that it reads at run time. It needs only Node.js. */
export async function packageProbe(root: string, outDir: string): Promise<Packed> {
  const { version, license } = readManifest(root);
  return pack({
    ...{ root, outDir, packageName: probePackageName(version), gzipLevel: 9 },
    async fill(folder) {
      await bundle(root, 'probe/main.ts', join(folder, 'probe', 'picket-probe.mjs'), {
        format: 'esm',
        external: ['koffi'],
        banner: { js: REQUIRE },
      });
      copyKoffi(join(root, 'node_modules'), join(folder, 'node_modules'));
      const manifest = { name: 'picket-probe', version, license, type: 'module', private: true };
      writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    },
  });
}

/** Copies koffi with its native library for each installed kind of Linux: at least glibc and musl on this architecture. */
function copyKoffi(from: string, to: string): void {
  for (const file of KOFFI_FILES) cpSync(join(from, 'koffi', file), join(to, 'koffi', file));
  const natives = readdirSync(join(from, '@koromix')).filter((name) => NATIVE.test(name));
  if (natives.length === 0) throw new Error('no native library of koffi for Linux is installed; run scripts/install');
  for (const native of natives)
    cpSync(join(from, '@koromix', native), join(to, '@koromix', native), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, sha256 } = await packageProbe(process.cwd(), join(process.cwd(), 'build', 'packages'));
  process.stdout.write(`${sha256}  ${path}\n`);
}
