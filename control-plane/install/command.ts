import { createHash } from 'node:crypto';
import { isLoopbackHost } from '../../kernel/loopback.js';
import { shellQuote, shellWord } from './shell.js';

export type ScriptName = 'probe.sh' | 'agent.sh';

/**
 * How a machine gets a script: over https, which proves where it comes from; over plain http on the same machine, which
 * no network device can change; or over plain http in a network, where every device on the path can replace what root will run.
 */
type Transport = 'https' | 'loopback' | 'http';

export function transportOf(publicUrl: string): Transport {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') return 'https';
  return isLoopbackHost(hostname) ? 'loopback' : 'http';
}

/** Returns the command that runs a script, without its arguments. Over plain http in a network it needs a saved copy. */
export function scriptCommand(publicUrl: string, script: ScriptName): string {
  const url = shellWord(`${publicUrl}/install/${script}`);
  switch (transportOf(publicUrl)) {
    case 'https':
      // A redirect to plain http is refused. The quotes are for zsh, which expands =name.
      return `curl --proto '=https' -fsSL ${url} | sudo sh -s --`;
    case 'loopback':
      return `curl -fsSL ${url} | sudo sh -s --`;
    case 'http':
      return `sudo sh ${script}`;
  }
}

/**
 * Returns the command to paste into a shell: it installs a probe or an agent and joins it. Over plain http in a network
 * it contains the SHA-256 of the script, which the reader got over a channel of their own, and runs nothing else.
 */
export async function installCommand(
  publicUrl: string,
  script: ScriptName,
  token: string,
  text: () => Promise<string>,
): Promise<string> {
  if (transportOf(publicUrl) !== 'http') {
    return `${scriptCommand(publicUrl, script)} --token ${shellWord(token)}`;
  }
  const sha256 = createHash('sha256')
    .update(await text())
    .digest('hex');
  const steps = [
    'f=$(mktemp)',
    'trap "rm -f $f" EXIT',
    `curl -fsSL -o "$f" ${shellWord(`${publicUrl}/install/${script}`)}`,
    `echo "${sha256}  $f" | sha256sum -c - >/dev/null`,
    `sudo sh "$f" --token ${shellWord(token)}`,
  ];
  return `sh -c ${shellQuote(steps.join(' && '))}`;
}
