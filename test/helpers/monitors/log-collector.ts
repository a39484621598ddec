import { pino } from 'pino';

/** A logger, and the parsed lines that it wrote. */
export function logCollector() {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { logger, lines };
}
