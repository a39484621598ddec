import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { chmod, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { waitFor } from '../wait.js';

/** A zone to serve. At first it has only its test entries. */
export interface ServedZone {
  zone: string;
  type: 'ip' | 'domain';
  test: { listed: readonly string[]; code: string };
}

/** Debian's rbldnsd on a loopback port of its own. Changes take effect when `reloaded` has resolved. */
export interface Rbldnsd {
  /** `127.0.0.1:<port>`, as resolvers take it. */
  server: string;
  zones: readonly string[];
  /**
   * Lists an IPv4 or IPv6 address or a domain; again with another code for a second record (but for IPv6, where the
   * last one stands). In the text `$` is the entry.
   */
  list(zone: string, entry: string, code?: string, text?: string): void;
  /** Removes an entry, or restores the zone as it was at the start. */
  clear(zone: string, entry?: string): void;
  /** Refuses every query. */
  refuse(zone: string, code?: string): void;
  /** Lists everything, as abandoned lists do: every address, and every domain of the usual TLDs. */
  wildcard(zone: string, code?: string): void;
  reloaded(): Promise<void>;
  stop(): Promise<void>;
}

const SERIAL_ZONE = 'serial.rbldnsd.test';
/** rbldnsd has no wildcard for the root of a zone of names. */
const TLDS = ['com', 'net', 'org', 'info', 'io', 'dev', 'de', 'uk', 'eu', 'example', 'test', 'invalid'];
const SETS = { ip: ['ip4trie', 'ip4set', 'ip6trie'], domain: ['dnset'] } as const;

interface Content {
  entries: Map<string, { code: string; text: string }[]>;
  /** The answer to every query. */
  all: { code: string; text: string } | null;
}

/** Returns the zones of the built-in catalogue, including separate zones for IPv6. */
function builtInZones(): ServedZone[] {
  const { providers, queryZone } = readProviders({ file: null, keys: new Map() });
  return providers.flatMap((provider): ServedZone[] => {
    const first = provider.listings?.[0];
    const code = first === undefined ? `127.0.0.${provider.bitmask?.bits[0]?.bit ?? 2}` : dotted(first.from);
    const test = { listed: provider.test.listed, code };
    const six = queryZone(provider, 6);
    const own = { zone: provider.zone, type: provider.type, test };
    return six === null || six === provider.zone ? [own] : [own, { zone: six, type: 'ip', test: { listed: [], code } }];
  });
}

export async function startRbldnsd(zones: readonly ServedZone[] = builtInZones()): Promise<Rbldnsd> {
  const folder = await mkdtemp(join(tmpdir(), 'picket-rbldnsd-'));
  // If root starts it, it changes to its own user, who must be able to read this.
  await chmod(folder, 0o755);
  const port = await freeUdpPort();
  const server = `127.0.0.1:${port}`;
  const served = new Map(zones.map((zone) => [zone.zone, { ...zone, content: healthy(zone) }]));
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([server]);
  let serial = 0;

  const of = (zone: string) => {
    const found = served.get(zone);
    if (found === undefined) throw new Error(`rbldnsd does not serve ${zone}`);
    return found;
  };

  const writeAll = () => writeZones(folder, ++serial, [...served.values()]);
  await writeAll();
  const sets = [...served.values()].flatMap(({ zone, type }) =>
    SETS[type].map((set) => `${zone}:${set}:${zone}.${set}`),
  );
  const args = ['-n', '-f', '-b', `127.0.0.1/${port}`, '-r', folder, '-c', '1s'];
  const child = spawn('/usr/sbin/rbldnsd', [...args, `${SERIAL_ZONE}:dnset:${SERIAL_ZONE}.dnset`, ...sets], {
    stdio: 'ignore',
  });
  // It must not outlive a test that crashes.
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const isServed = () => resolver.resolve4(`serial-${serial}.${SERIAL_ZONE}`);
  await waitFor('rbldnsd', 60_000, isServed, 20);

  return {
    server,
    zones: [...served.keys()],
    list(zone, entry, code = of(zone).test.code, text = 'listed $') {
      const { entries } = of(zone).content;
      entries.set(entry, [...(entries.get(entry) ?? []), { code, text }]);
    },
    clear(zone, entry) {
      const found = of(zone);
      if (entry === undefined) found.content = healthy(found);
      else found.content.entries.delete(entry);
    },
    refuse(zone, code = '127.255.255.254') {
      of(zone).content.all = { code, text: 'refused' };
    },
    wildcard(zone, code = of(zone).test.code) {
      of(zone).content.all = { code, text: 'listed $' };
    },
    async reloaded() {
      await writeAll();
      child.kill('SIGHUP');
      await waitFor('rbldnsd to reload', 60_000, isServed, 20);
    },
    async stop() {
      process.off('exit', end);
      end();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeZones(
  folder: string,
  serial: number,
  zones: readonly (ServedZone & { content: Content })[],
): Promise<void> {
  const write = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(`${path}.new`, text, { mode: 0o644 });
    // It compares times in whole seconds, so each version needs another second.
    const at = new Date((1_700_000_000 + serial) * 1_000);
    await utimes(`${path}.new`, at, at);
    await rename(`${path}.new`, path);
  };
  for (const { zone, type, content } of zones) {
    for (const set of SETS[type]) await write(`${zone}.${set}`, dataOf(set, content));
  }
  // It is read first and written last: if it is current, the others are current, too.
  await write(`${SERIAL_ZONE}.dnset`, `serial-${serial} :127.0.0.2:\n`);
}

function healthy({ test }: ServedZone): Content {
  const entries: Content['entries'] = new Map();
  for (const entry of test.listed.slice(0, 1)) entries.set(entry, [{ code: test.code, text: 'test entry $' }]);
  return { entries, all: null };
}

/** Wildcards are in a trie of their own, without other entries. */
function dataOf(set: 'ip4trie' | 'ip4set' | 'ip6trie' | 'dnset', { entries, all }: Content): string {
  const value = ({ code, text }: { code: string; text: string }) => ` :${code}:${text}`;
  if (all !== null) {
    if (set === 'ip4set') return '';
    if (set === 'dnset') return TLDS.map((tld) => `.${tld}${value(all)}\n`).join('');
    return `${set === 'ip4trie' ? '0.0.0.0/0' : '::/0'}${value(all)}\n`;
  }
  if (set === 'ip4trie') return '';
  const family = { ip4set: 4, ip6trie: 6, dnset: 0 }[set];
  return [...entries]
    .filter(([entry]) => isIP(entry) === family)
    .flatMap(([entry, records]) =>
      (set === 'ip6trie' ? records.slice(-1) : records).map((record) => [entry, record] as const),
    )
    .map(([entry, record]) => `${entry}${value(record)}\n`)
    .join('');
}

function dotted(code: number): string {
  return [24, 16, 8, 0].map((shift) => (code >>> shift) & 0xff).join('.');
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}
