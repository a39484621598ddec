import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentExecutableName, agentPackageName, EXECUTABLE_ARCHITECTURES } from '../control-plane/install/packages.js';
import { bundle, type Packed, pack, readManifest } from './pack.js';

/** Of Node.js' documentation of single executables: where the file says that it carries a program. */
const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const SEA_CONFIG = { main: 'picket-agent.cjs', output: 'picket-agent.blob', disableExperimentalSEAWarning: true };
/** Where Node.js' own licence lies, seen from its binary: in its archive, and in packages of distributions. */
const NODE_LICENSES = ['../LICENSE', '../share/doc/nodejs/LICENSE', '../share/doc/node/LICENSE'];

/** `outDir/picket-agent.cjs`: all of the agent. It reads nothing beside itself. Resolves with its path. */
export async function bundleAgent(root: string, outDir: string): Promise<string> {
  const path = join(outDir, 'picket-agent.cjs');
  const unfinished = `${path}.${process.pid}`;
  await bundle(root, 'server-agent/main.ts', unfinished, {
    // All that an executable can carry.
    format: 'cjs',
    define: {
      PICKET_VERSION: JSON.stringify(readManifest(root).version),
      // CommonJS does not know where it lies; whoever asks all the same is told a place where nothing is.
      'import.meta.url': '"file:///picket-agent.cjs"',
    },
    // Its own text and names are memory that an agent holds for ever: 7 MiB of 61.
    minify: true,
  });
  renameSync(unfinished, path);
  return path;
}

/** Packs the bundle for machines with Node.js. */
export async function packageAgent(root: string, outDir: string, program: string): Promise<Packed> {
  return pack({
    ...{ root, outDir, packageName: agentPackageName(readManifest(root).version), gzipLevel: 9 },
    async fill(folder) {
      cpSync(program, join(folder, 'picket-agent.cjs'));
    },
  });
}

/**
 * Packs the bundle as an executable that carries the Node.js which runs this, for machines of its kind without one.
 * It takes ten seconds, so what is there stays when neither the agent nor Node.js has changed. Resolves with why there
 * is none, when this Node.js cannot be carried.
 */
export async function packageAgentExecutable(root: string, outDir: string, program: string): Promise<string | null> {
  const packageName = agentExecutableName(readManifest(root).version, process.arch);
  const path = join(outDir, packageName);
  const node = readFileSync(process.execPath);
  const problem = cannotCarry(node);
  if (problem !== null) {
    // One of an earlier build would be another agent than the one that is served beside it.
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

/** Why this Node.js cannot become the agent's; null when it can. */
function cannotCarry(node: Buffer): string | null {
  if (process.platform !== 'linux') return `this is ${process.platform}, not Linux`;
  if (!(process.arch in EXECUTABLE_ARCHITECTURES)) return `${process.arch} is no architecture that is served`;
  if (existsSync('/etc/alpine-release')) return 'it would need the musl of this system';
  // Debian's own package, for one, keeps all of it in a library beside the binary.
  return node.includes(`${SENTINEL_FUSE}:0`) ? null : `${process.execPath} is not a Node.js in one file`;
}

/** Paths are relative where they become part of the bytes. */
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
  if (problem !== null) process.stderr.write(`picket: no executable of the agent is made: ${problem}\n`);
}
