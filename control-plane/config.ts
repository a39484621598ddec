import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { exactNetworks, type Network, type Networks, readNetworks } from '../kernel/guard/networks.js';
import { LOG_LEVELS, type LogLevel } from '../kernel/logger.js';
import { defaultPublicUrl } from '../kernel/loopback.js';
import { readSettings, SettingError } from '../kernel/settings.js';
import { readStripe, type StripeSettings } from './billing/stripe/settings.js';
import { readBootstrapSetting } from './domain-expiry/setting.js';
import { type InstallationProvider, readInstallationProvider } from './single-sign-on/installation.js';
import { readTrustedHeader, type TrustedHeader } from './single-sign-on/trusted-header/settings.js';
import { mongoUriProblem } from './storage/mongo-uri.js';
import { type FeedSetting, readFeedSetting } from './wordpress/vulnerabilities/setting.js';

/** Every setting of the control plane, read once at start. `docs/operating.md` describes each. */
export interface Config {
  httpPort: number;
  grpcPort: number;
  host: string;
  /** Without a slash at the end. */
  publicUrl: string;
  /** `host:port` that probes and agents dial; it goes into join tokens. */
  grpcAddress: string;
  dataDir: string;
  mongodbUri: string;
  smtpUrl: string | null;
  mailFrom: string;
  /** Whether anybody can create an account. Otherwise people join by invitation. */
  signUpOpen: boolean;
  /** Whether people must confirm their address before their workspace sends anything to others. */
  confirmEmail: boolean;
  allowPrivateTargets: boolean;
  /** Networks that nothing on behalf of a customer may connect to. */
  deniedTargets: readonly Network[];
  logLevel: LogLevel;
  /** The memory for what probes and agents send, and what is decoded of it. */
  ingestBytesMax: number;
  /** Requests a minute for each key; null: the plan's; 0: no limit. */
  rateLimit: number | null;
  /** Reverse proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: Networks;
  /** The bearer token of `/metrics`; null: only this host may read it. Secret. */
  metricsToken: string | null;
  firstRunFile: string;
  tls: { certFile: string; keyFile: string } | null;
  /** Purchases at Stripe; null: an operator sets the plans. Secret. */
  stripe: StripeSettings | null;
  /** Where every report of every server is handed on to, Prometheus remote write; null: nowhere. */
  remoteWrite: { url: string; authorization: string | null } | null;
  /** What a probe tries when its location is suspected: `tcp://host:port` or URLs. */
  canaryTargets: string[];
  /** The identity provider of the whole installation; null for none. */
  installationProvider: InstallationProvider | null;
  /** The header in which an authenticating proxy names the person; null: there is no such proxy. */
  trustedHeader: TrustedHeader | null;
  /** Resolvers of blacklist and mail-record look-ups, as `dns.setServers` takes them; empty: those of the system. */
  dnsServers: string[];
  /** The folder into which public status pages are written as files; null: none. */
  statusExportDir: string | null;
  /** Where the feed of vulnerable WordPress plugins is; null: there is none. Secret. */
  vulnerabilityFeed: FeedSetting | null;
  /** Where the list of RDAP servers is; null: no registry is asked when domains expire. */
  rdapBootstrap: string | null;
  blacklists: {
    /** Replaces the built-in catalogue; null: that one. */
    file: string | null;
    /** By the id of a list: the customer key that goes into its zone. Secret. */
    keys: ReadonlyMap<string, string>;
  };
}

const PORT = { min: 1, max: 65_535 };
const MIB = 1_048_576;
const INGEST_BYTES = { min: 32 * MIB, max: 65_536 * MIB };

/** Throws SettingError with the variable's name. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const settings = readSettings(env);
  const httpPort = settings.integer('PICKET_HTTP_PORT', 8080, PORT);
  const grpcPort = settings.integer('PICKET_GRPC_PORT', 8443, PORT);
  const host = settings.text('PICKET_HOST', '127.0.0.1');
  const publicUrl = settings.url('PICKET_PUBLIC_URL', defaultPublicUrl(host, httpPort), ['http:', 'https:']);
  const dataDir = resolve(settings.text('PICKET_DATA_DIR', './data'));
  const mongodbUri = readMongodbUri(settings.optionalText('PICKET_MONGODB_URI'));
  const remoteWriteUrl = settings.optionalUrl('PICKET_REMOTE_WRITE_URL', ['http:', 'https:']);
  const remoteWriteAuthorization = settings.optionalText('PICKET_REMOTE_WRITE_AUTHORIZATION');
  const certFile = settings.optionalText('PICKET_TLS_CERT');
  const keyFile = settings.optionalText('PICKET_TLS_KEY');
  if ((certFile === null) !== (keyFile === null)) {
    throw new SettingError(certFile === null ? 'PICKET_TLS_CERT' : 'PICKET_TLS_KEY', 'is missing: the two go together');
  }
  return Object.freeze({
    httpPort,
    grpcPort,
    host,
    publicUrl,
    grpcAddress: grpcAddress(settings.text('PICKET_GRPC_ADDRESS', `${new URL(publicUrl).hostname}:${grpcPort}`)),
    dataDir,
    mongodbUri,
    smtpUrl: settings.optionalUrl('PICKET_SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: settings.text('PICKET_MAIL_FROM', 'picket@localhost'),
    signUpOpen: settings.oneOf('PICKET_SIGN_UP', ['open', 'closed'], 'open') === 'open',
    confirmEmail: settings.flag('PICKET_CONFIRM_EMAIL', true),
    allowPrivateTargets: settings.flag('PICKET_ALLOW_PRIVATE_TARGETS', false),
    deniedTargets: readNetworks('PICKET_DENY_TARGETS', settings.optionalText('PICKET_DENY_TARGETS')),
    logLevel: settings.oneOf('PICKET_LOG_LEVEL', LOG_LEVELS, 'info' as LogLevel),
    ingestBytesMax: settings.integer('PICKET_INGEST_BYTES', 256 * MIB, INGEST_BYTES),
    rateLimit: rateLimit(settings.optionalText('PICKET_RATE_LIMIT')),
    trustedProxies: readTrustedProxies(settings.optionalText('PICKET_TRUSTED_PROXIES')),
    metricsToken: metricsToken(settings.optionalText('PICKET_METRICS_TOKEN')),
    firstRunFile: settings.text('PICKET_FIRST_RUN', resolve(dataDir, 'first-run.json')),
    tls: certFile !== null && keyFile !== null ? { certFile, keyFile } : null,
    remoteWrite: remoteWriteUrl === null ? null : { url: remoteWriteUrl, authorization: remoteWriteAuthorization },
    stripe: readStripe(settings),
    canaryTargets: list(settings.text('PICKET_CANARY_TARGETS', '')).map(canaryTarget),
    installationProvider: readInstallationProvider(settings),
    trustedHeader: readTrustedHeader(settings),
    dnsServers: list(settings.text('PICKET_DNS_SERVERS', '')).map(dnsServer),
    statusExportDir: statusExportDir(settings.optionalText('PICKET_STATUS_EXPORT')),
    vulnerabilityFeed: readFeedSetting(settings),
    rdapBootstrap: readBootstrapSetting(settings),
    blacklists: {
      file: settings.optionalText('PICKET_BLACKLIST_PROVIDERS'),
      keys: new Map(list(settings.text('PICKET_BLACKLIST_KEYS', '')).map(blacklistKey)),
    },
  });
}

function statusExportDir(value: string | null): string | null {
  if (value === null || isAbsolute(value)) return value;
  throw new SettingError('PICKET_STATUS_EXPORT', `must be an absolute path, not ${JSON.stringify(value)}`);
}

function readMongodbUri(value: string | null): string {
  if (value === null) {
    throw new SettingError(
      'PICKET_MONGODB_URI',
      'is not set: name a replica set, or use scripts/start, which runs one',
    );
  }
  const problem = mongoUriProblem(value);
  if (problem !== null) throw new SettingError('PICKET_MONGODB_URI', problem);
  return value;
}

function rateLimit(value: string | null): number | null {
  if (value === null) return null;
  if (!/^\d{1,9}$/.test(value)) throw new SettingError('PICKET_RATE_LIMIT', 'must be a whole number; 0 is no limit');
  return Number(value);
}

function metricsToken(value: string | null): string | null {
  if (value === null || /^[\x21-\x7e]{1,200}$/.test(value)) return value;
  // Not what was given: it is a secret.
  throw new SettingError('PICKET_METRICS_TOKEN', 'must be at most 200 printable ASCII characters without spaces');
}

function readTrustedProxies(value: string | null): Networks {
  const networks = readNetworks('PICKET_TRUSTED_PROXIES', value);
  // If every address were a proxy's, each client could choose the address that Picket sees.
  if (networks.every(([, prefixBits]) => prefixBits > 0)) return exactNetworks(networks);
  throw new SettingError('PICKET_TRUSTED_PROXIES', 'must name the proxies, and a network of /0 is every address');
}

/** `picket.example:8443`, `[2001:db8::1]:8443`. */
function grpcAddress(value: string): string {
  const [, port] = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@[\]]+):(\d{1,5})$/.exec(value) ?? [];
  if (port !== undefined && Number(port) >= PORT.min && Number(port) <= PORT.max) return value;
  throw new SettingError('PICKET_GRPC_ADDRESS', `must be host:port, not ${JSON.stringify(value)}`);
}

function canaryTarget(value: string): string {
  const isTcp = /^tcp:\/\/[^\s/]+:\d{1,5}$/.test(value);
  const isUrl = URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
  if (isTcp || isUrl) return value;
  throw new SettingError(
    'PICKET_CANARY_TARGETS',
    `must be tcp://host:port or http(s) URLs, separated by commas, not ${JSON.stringify(value)}`,
  );
}

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53`, `[2001:db8::53]:5353`. */
function dnsServer(value: string): string {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const isAddress = isIP(value) !== 0 || isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4;
  const isPort = port === undefined || (Number(port) >= PORT.min && Number(port) <= PORT.max);
  if (isAddress && isPort) return value;
  throw new SettingError(
    'PICKET_DNS_SERVERS',
    `must be addresses with or without a port, not ${JSON.stringify(value)}`,
  );
}

/** `spamhaus-zen=abc`. The key becomes one label of a DNS name. */
function blacklistKey(value: string): [string, string] {
  const [, id, key] = /^([a-z0-9-]+)=([A-Za-z0-9-]{1,63})$/.exec(value) ?? [];
  if (id !== undefined && key !== undefined) return [id, key];
  // Not what was given: it holds a key.
  throw new SettingError('PICKET_BLACKLIST_KEYS', 'must be <id of a list>=<key>, separated by commas');
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
