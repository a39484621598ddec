import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members that may hold a secret wherever they stand in a logged object. */
const SECRET_PATHS = ['authorization', 'password', 'secret', 'token', 'key', 'credential', 'routing_key', 'bot_token'];

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
  return process.stdout.isTTY
    ? pino(settings, pretty({ sync: true, singleLine: true, ignore: 'pid,hostname' }))
    : pino(settings);
}
