import { createLogger } from '../../../kernel/logger.js';

/**
 * Logs more than a pipe can hold, then sends `alive` over IPC. A number over IPC makes it log as many lines again. Ends on
 * SIGTERM, as the programs of Picket do.
 */
const LINES = 20_000;
let line = 0;
const logger = createLogger({ name: 'chatty', level: 'info' });
process.on('SIGTERM', () => process.exit(0));
function log(lines: number): void {
  for (const end = line + lines; line < end; line += 1) logger.info({ line, words: 'x'.repeat(200) }, 'a line');
}
log(LINES);
process.on('message', (lines) => log(Number(lines)));
setInterval(() => process.send?.('alive'), 50);
