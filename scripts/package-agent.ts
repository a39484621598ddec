import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentExecutableName, agentPackageName, EXECUTABLE_ARCHITECTURES } from '../control-plane/install/packages.js';
import { bundle, type Packed, pack, readManifest } from './pack.js';

/** Marks the flag in the Node.js binary that says whether it contains a program (see Node.js, single executables). */
const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const SEA_CONFIG = { main: 'picket-agent.cjs', output: 'picket-agent.blob', disableExperimentalSEAWarning: true };
/** Paths of the Node.js licence relative to its binary: in the Node.js archive, and in packages of distributions. */
const NODE_LICENSES = ['../LICENSE', '../share/doc/nodejs/LICENSE', '../share/doc/node/LICENSE'];

/** Bundles the agent as `outDir/picket-agent.cjs`, which needs no other file, and resolves to its path. */
export async function bundleAgent(root: string, outDir: string): Promise<string> {
  const path = join(outDir, 'picket-agent.cjs');
  const unfinished = `${path}.${process.pid}`;
  await bundle(root, 'server-agent/main.ts', unfinished, {
    // A single executable can contain only CommonJS.
    format: 'cjs',
    define: {
      PICKET_VERSION: JSON.stringify(readManifest(root).version),
      // CommonJS has no import.meta.url: code that reads it gets a URL where no file exists.
      'import.meta.url': '"file:///picket-agent.cjs"',
    },
    // The agent keeps its source text in memory: minifying saves 7 MiB of 61.
    minify: true,
  });
  renameSync(unfinished, path);
  return path;
}

/** Packs the bundle for machines that have Node.js. */
export async function packageAgent(root: string, outDir: string, program: string): Promise<Packed> {
  return pack({
    ...{ root, outDir, packageName: agentPackageName(readManifest(root).version), gzipLevel: 9 },
    async fill(folder) {
      cpSync(program, join(folder, 'picket-agent.cjs'));
    },
  });
}

/**
 * Packs the bundle as an executable that contains the running Node.js, for machines of the same architecture without
 * Node.js. Resolves to null, or to the reason why this Node.js cannot be embedded. Building takes ten seconds, so an
 * existing package is kept while neither the agent nor Node.js has changed.
 */
export async function packageAgentExecutable(root: string, outDir: string, program: string): Promise<string | null> {
  const packageName = agentExecutableName(readManifest(root).version, process.arch);
  const path = join(outDir, packageName);
  const node = readFileSync(process.execPath);
  const problem = embeddingProblem(node);
  if (problem !== null) {
    // A package of an earlier build would contain a different agent than the package for Node.js.
    rmSync(path, { force: true });
    return problem;
  }
  const key = keyOf(node, readFileSync(program));
  if (existsSync(path) && existsSync(`${path}.key`) && readFileSync(`${path}.key`, 'utf8') === key) return null;
  await pack({
    ...{ root, outDir, packageName, gzipLevel: 6 },
    async fill(folder) {
      makeExecutable(program, join(folder, 'picket-agent'));
      const license = NODE_LICENSES.map((place) => join(dirname(process.execPath), place)).find(existsSync);
      if (license !== undefined) cpSync(license, join(folder, 'LICENSE.node'));
    },
  });
  writeFileSync(`${path}.key`, key);
  return null;
}

/** Returns why this Node.js cannot be embedded; null if it can. */
function embeddingProblem(node: Buffer): string | null {
  if (process.platform !== 'linux') return `the platform is ${process.platform}, not Linux`;
  if (!(process.arch in EXECUTABLE_ARCHITECTURES)) return `the architecture ${process.arch} is not supported`;
  if (existsSync('/etc/alpine-release')) return 'this system uses musl, and the executable needs glibc';
  // Debian's package, for example, has most of Node.js in a shared library.
  return node.includes(`${SENTINEL_FUSE}:0`) ? null : `${process.execPath} does not contain all of Node.js in one file`;
}

/** Embeds the program in a copy of Node.js. Paths that end up in the executable are relative: builds are reproducible. */
function makeExecutable(program: string, executable: string): void {
  const work = mkdtempSync(join(tmpdir(), 'picket-executable-'));
  try {
    cpSync(program, join(work, SEA_CONFIG.main));
    writeFileSync(join(work, 'sea.json'), JSON.stringify(SEA_CONFIG));
    const run = (args: string[]) => execFileSync(process.execPath, args, { cwd: work, stdio: 'pipe' });
    run(['--experimental-sea-config', 'sea.json']);
    cpSync(process.execPath, executable);
    chmodSync(executable, 0o755);
    const postject = join(dirname(createRequire(import.meta.url).resolve('postject')), 'cli.js');
    run([postject, executable, 'NODE_SEA_BLOB', SEA_CONFIG.output, '--sentinel-fuse', SENTINEL_FUSE]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function keyOf(node: Buffer, program: Buffer): string {
  const hash = createHash('sha256');
  const makers = ['package-agent.ts', 'pack.ts'].map((name) =>
    readFileSync(fileURLToPath(new URL(name, import.meta.url))),
  );
  for (const part of [node, program, ...makers]) hash.update(part).update('\0');
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root, outDir] = [process.cwd(), join(process.cwd(), 'build', 'packages')];
  const program = await bundleAgent(root, outDir);
  await packageAgent(root, outDir, program);
  const problem = await packageAgentExecutable(root, outDir, program);
  if (problem !== null) process.stderr.write(`picket: skipping the agent executable: ${problem}\n`);
}
