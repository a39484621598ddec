import { createLogger } from '../../../kernel/logger.js';

/** Logs more than any pipe takes, then says over IPC that it is alive; ends on SIGTERM as our processes do. */
const LINES = 20_000;
const logger = createLogger({ name: 'chatty', level: 'info' });
process.on('SIGTERM', () => process.exit(0));
for (let line = 0; line < LINES; line += 1) logger.info({ line, words: 'x'.repeat(200) }, 'a line');
setInterval(() => process.send?.('alive'), 50);
