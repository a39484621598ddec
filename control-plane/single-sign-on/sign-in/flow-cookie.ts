import { FLOW_MS } from '../oidc/flow.js';

const NAME = 'picket_single_sign_on';
const HEADER_CHARS_MAX = 16_384;

/**
 * The cookie that binds a log-in to the browser that began it. `SameSite=Lax`: the browser sends it when the provider
 * sends the person back. Like the session cookie it has the prefix `__Host-` behind https.
 */
export interface FlowCookie {
  set(sealed: string): string;
  clear(): string;
  /** Returns its value in a `Cookie` header. */
  read(header: string | null): string | null;
}

export function createFlowCookie(publicUrl: string): FlowCookie {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const cookie = (value: string, maxAgeS: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    set: (sealed) => cookie(sealed, FLOW_MS / 1_000),
    clear: () => cookie('', 0),
    read(header) {
      const pairs = (header ?? '').slice(0, HEADER_CHARS_MAX).split(';');
      const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${name}=`));
      return found === undefined ? null : found.slice(name.length + 1);
    },
  };
}
