import { type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import { loggedError } from './logged-error.js';
import { type OutageKind, onceInOutage } from './outage-log.js';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Names of fields that may contain a secret at any place in a logged object. */
const SECRET_PATHS = ['authorization', 'password', 'secret', 'token', 'key', 'credential', 'routing_key', 'bot_token'];

/** Buffer for a reader of stdout that has stopped reading. When it is full, further lines are dropped and counted. */
const BUFFERED_BYTES_MAX = 1024 * 1024;
/** Write attempts to a full stdout while the process exits, 100 ms apart. After them, the rest is dropped. */
const EXIT_ATTEMPTS_MAX = 3;

interface LogOptions {
  /** The process (`control-plane`, `probe`). */
  name: string;
  level: LogLevel;
  /** Returns whether only the name and the message of an error are logged, see `loggedError`. */
  isBrief?: (error: Error) => boolean;
  /** Lines with an error of this outage are written once, and counted when they are repeated, see `onceInOutage`. */
  outage?: OutageKind;
}

/**
 * Returns a logger that writes JSON lines to stdout, or readable text when stdout is a terminal. Fields with secrets are
 * redacted as a last line of defence; no code should log them.
 */
export function createLogger(options: LogOptions): Logger {
  const logger: Logger = open({
    name: options.name,
    level: options.level,
    serializers: { err: loggedError(options.isBrief ?? (() => false)) },
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' },
    ...(options.outage === undefined ? {} : { hooks: { logMethod: onceInOutage(options.outage, () => logger) } }),
  });
  return logger;
}

function open(settings: LoggerOptions): Logger {
  if (process.stdout.isTTY) return pino(settings, pretty({ sync: true, singleLine: true, ignore: 'pid,hostname' }));
  return settings.level === 'silent' ? pino(settings) : nonBlockingLogger(settings);
}

/**
 * Returns a logger that never blocks on the reader of stdout. A blocking write would stop checks, acknowledgements and
 * even the exit of the process for as long as the log collector hangs. A write that fails, because the log is a file on a full
 * disk, does not end the process: the next line tries again.
 */
function nonBlockingLogger(settings: LoggerOptions): Logger {
  let dropped = 0;
  let exiting = false;
  let exitAttempts = 0;
  let failing = false;
  const stdout = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    maxLength: BUFFERED_BYTES_MAX,
    retryEAGAIN: () => !exiting || ++exitAttempts <= EXIT_ATTEMPTS_MAX,
  });
  // Pino's own listener would end the process.
  stdout.removeAllListeners('error');
  stdout.on('error', () => {
    failing = true;
  });
  stdout.on('write', () => {
    failing = false;
  });
  const logger = pino(settings, stdout);
  stdout.on('drop', () => {
    dropped += 1;
    // The buffer stays full after a failed write until something starts the next one. An empty line always fits.
    if (failing) stdout.write('');
  });
  stdout.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    logger.warn({ lines }, 'dropped log lines because stdout was not read');
  });
  process.prependOnceListener('exit', () => {
    exiting = true;
    try {
      // A flush would retry for ever.
      if (failing) stdout.destroy();
      else stdout.flushSync();
    } catch {
      // The reader still does not read. The process exits anyway.
      stdout.destroy();
    }
  });
  return logger;
}
