import { type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members that may hold a secret wherever they stand in a logged object. */
const SECRET_PATHS = ['authorization', 'password', 'secret', 'token', 'key', 'credential', 'routing_key', 'bot_token'];

/** What waits for a reader of stdout that has stopped reading; what comes on top is dropped and counted, bytes. */
const WAITING_BYTES_MAX = 1024 * 1024;
/** A full stdout is tried again so often while the process ends, 100 ms apart; then the rest is given up. */
const LAST_TRIES_MAX = 3;

/**
 * JSON lines on stdout, or a readable form when stdout is a terminal. `name` says which process speaks
 * (`control-plane`, `probe`). Known secret members are replaced, as a last line of defence: nothing should
 * log them in the first place.
 */
export function createLogger(options: { name: string; level: LogLevel }): Logger {
  const settings = {
    name: options.name,
    level: options.level,
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' },
  };
  if (process.stdout.isTTY) return pino(settings, pretty({ sync: true, singleLine: true, ignore: 'pid,hostname' }));
  return options.level === 'silent' ? pino(settings) : patientLogger(settings);
}

/**
 * Writes without waiting for the reader. A write that waits would stop checks, acknowledgements and even the end of
 * the process for as long as whatever collects the log hangs.
 */
function patientLogger(settings: LoggerOptions): Logger {
  let dropped = 0;
  let leaving = false;
  let lastTries = 0;
  const stdout = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    maxLength: WAITING_BYTES_MAX,
    retryEAGAIN: () => !leaving || ++lastTries <= LAST_TRIES_MAX,
  });
  const logger = pino(settings, stdout);
  stdout.on('drop', () => {
    dropped += 1;
  });
  stdout.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    logger.warn({ lines }, 'log lines were dropped while nobody read them');
  });
  process.prependOnceListener('exit', () => {
    leaving = true;
    try {
      stdout.flushSync();
    } catch {
      // Nobody reads: the process ends all the same.
      stdout.destroy();
    }
  });
  return logger;
}
