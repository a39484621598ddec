import { createLogger } from '../../../kernel/logger.js';

/** Logs more than a pipe can hold, then sends `alive` over IPC. Ends on SIGTERM, as the programs of Picket do. */
const LINES = 20_000;
const logger = createLogger({ name: 'chatty', level: 'info' });
process.on('SIGTERM', () => process.exit(0));
for (let line = 0; line < LINES; line += 1) logger.info({ line, words: 'x'.repeat(200) }, 'a line');
setInterval(() => process.send?.('alive'), 50);
