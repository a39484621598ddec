import type { ChannelTest, ChannelType } from '../../api/types.ts';

/** What a person can do about a test that failed: a key of the texts. */
export type Advice =
  | 'credentials'
  | 'gone'
  | 'redirect'
  | 'limited'
  | 'request'
  | 'receiver'
  | 'name'
  | 'connection'
  | 'certificate'
  | 'blocked'
  | 'slow'
  | 'mail'
  | 'other';

/** How an error begins when no HTTP answer came; `blocked_target: …`. */
const BY_CODE: Readonly<Record<string, Advice>> = {
  dns_failure: 'name',
  invalid_url: 'name',
  connection_refused: 'connection',
  connection_reset: 'connection',
  tls: 'certificate',
  blocked_target: 'blocked',
  timeout: 'slow',
};

/** Returns what to do about a failed test. */
export function adviceFor(type: ChannelType, { error, response_status: status }: ChannelTest): Advice {
  const code = /^(\w+):/.exec(error ?? '')?.[1] ?? '';
  if (type === 'email') return 'mail';
  if (status === null) return BY_CODE[code] ?? 'other';
  if (status >= 500) return 'receiver';
  if (status >= 300 && status < 400) return 'redirect';
  const known: Readonly<Record<number, Advice>> = {
    401: 'credentials',
    403: 'credentials',
    404: 'gone',
    410: 'gone',
    429: 'limited',
  };
  return known[status] ?? 'request';
}
