import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { RecipientLinks } from '../recipients/recipients.js';
import type { OpenedSlice, Slice } from '../slice.js';
import { confirmMount, stopMount } from './mounts.js';

interface RecipientPagesNeeds {
  db: Db;
  links: RecipientLinks;
  /** Without a slash at the end. */
  publicUrl: string;
  clock: Clock;
  logger: Logger;
}

/** The pages that links in mails open: to confirm that an address wants the mails of a workspace, and to stop them. */
export const recipientPagesSlice: Slice<'recipientPages', RecipientPagesNeeds, OpenedSlice> = {
  name: 'recipientPages',
  open(needs) {
    const { db, clock, logger } = needs;
    const guesses = createGuessLimit({ what: 'e-mail link', store: createRateLimitStore(db), clock, logger });
    return {
      mounts: [confirmMount({ ...needs, guesses }), stopMount({ ...needs, guesses })],
      jobs: [guesses],
    };
  },
};
