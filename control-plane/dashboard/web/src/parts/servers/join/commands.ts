/** How long a join token is valid. */
const TOKEN_MS = 86_400_000;

/** Returns the command that removes an agent, from the one that installs it: the same script with another argument. Pure. */
export function removalOf(installCommand: string): string {
  return installCommand.replace(/--token [A-Za-z0-9_-]+/, '--uninstall');
}

/**
 * Returns the servers that joined after a token was made, newest first. The API does not say which token a server used,
 * and both times are the server's, not the browser's. Pure.
 */
export function joinedSince<Row extends { created_at: string }>(
  newest: readonly Row[],
  token: { expires_at: string },
): Row[] {
  const madeMs = Date.parse(token.expires_at) - TOKEN_MS;
  return newest.filter(({ created_at }) => Date.parse(created_at) > madeMs);
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/i;

/**
 * Returns what of this installation only its own machine reaches, so that the command fails on any other: the address in
 * the command, or the one for agents. null if other machines can reach both. Pure.
 */
export function localOnly(join: { install_command: string; agent_address: string }): string | null {
  const url = /https?:\/\/[^\s'"]+/.exec(join.install_command)?.[0] ?? '';
  if (URL.canParse(url) && LOOPBACK.test(new URL(url).hostname)) return new URL(url).origin;
  const local = join.agent_address.split(',').map((one) => one.trim());
  const isLocal = local.every((address) => LOOPBACK.test(address.replace(/:\d+$/, '')));
  return isLocal ? join.agent_address : null;
}
