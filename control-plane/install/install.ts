import { createReadStream } from 'node:fs';
import { AppError } from '../errors.js';
import type { Mount } from '../http/mount.js';
import { type AgentExecutable, agentInstallScript } from './agent-script.js';
import { installCommand, type ScriptName } from './command.js';
import {
  agentExecutableName,
  agentPackageName,
  EXECUTABLE_ARCHITECTURES,
  openPackageFile,
  type PackageFile,
  probePackageName,
  WORDPRESS_PLUGIN_NAME,
} from './packages.js';
import { probeInstallScript } from './probe-script.js';

/** What install scripts contain and download. */
interface InstallFacts {
  /** Without a slash at the end. */
  publicUrl: string;
  version: string;
  packagesDir: string;
}

/** The install scripts, as other slices use them. */
export interface Install {
  /** Both scripts and the packages that they download; 503 for a package that was not built. */
  mounts: Mount[];
  /**
   * Resolves to the command that installs a probe or an agent and joins it. Throws `unavailable` if the command must
   * contain the SHA-256 of a script whose package was not built.
   */
  command(script: ScriptName, token: string): Promise<string>;
}

export function createInstall({ publicUrl, version, packagesDir }: InstallFacts): Install {
  const probe = openPackageFile(packagesDir, probePackageName(version));
  const agent = openPackageFile(packagesDir, agentPackageName(version));
  const executables = Object.entries(EXECUTABLE_ARCHITECTURES).map(([architecture, machines]) => ({
    machines,
    file: openPackageFile(packagesDir, agentExecutableName(version, architecture)),
  }));
  const plugin = openPackageFile(packagesDir, WORDPRESS_PLUGIN_NAME);
  const texts: Record<ScriptName, () => Promise<string>> = {
    'probe.sh': async () =>
      probeInstallScript({ publicUrl, version, package: { name: probe.name, ...(await probe.facts()) } }),
    'agent.sh': async () =>
      agentInstallScript({
        ...{ publicUrl, version, package: { name: agent.name, ...(await agent.facts()) } },
        executables: (await Promise.all(executables.map(built))).flat(),
      }),
  };
  return {
    mounts: [
      scriptMount('probe.sh', texts['probe.sh']),
      scriptMount('agent.sh', texts['agent.sh']),
      ...[probe, agent, ...executables.map(({ file }) => file)].map((file) => packageMount(file)),
      packageMount(plugin, 'application/zip'),
    ],
    command: (script, token) => installCommand(publicUrl, script, token, texts[script]),
  };
}

function scriptMount(name: string, text: () => Promise<string>): Mount {
  return {
    path: `/install/${name}`,
    async handle(ctx) {
      const script = await text();
      ctx.type = 'text/x-shellscript; charset=utf-8';
      ctx.set('Cache-Control', 'no-cache');
      ctx.body = script;
    },
  };
}

function packageMount(file: PackageFile, type = 'application/gzip'): Mount {
  return {
    path: `/install/${file.name}`,
    async handle(ctx) {
      const { size } = await file.facts();
      ctx.type = type;
      ctx.length = size;
      ctx.body = createReadStream(file.path);
    },
  };
}

/** Returns nothing for an executable that was not built: a build makes only the one for its own machine. */
async function built(executable: { machines: readonly string[]; file: PackageFile }): Promise<AgentExecutable[]> {
  const { machines, file } = executable;
  try {
    return [{ machines, name: file.name, sha256: (await file.facts()).sha256 }];
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return [];
    throw error;
  }
}
