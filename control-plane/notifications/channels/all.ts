import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { Logger } from '../../../kernel/logger.js';
import { createMailServer } from '../../mail/mail-server.js';
import type { ChannelType } from '../channel-configs.js';
import type { Channel } from './channel.js';
import { createDiscordChannel } from './discord.js';
import { createEmailChannel } from './email.js';
import { createMsteamsChannel } from './msteams.js';
import { createNtfyChannel } from './ntfy.js';
import { createPagerdutyChannel, PAGERDUTY_ENDPOINT } from './pagerduty.js';
import { createSlackChannel } from './slack.js';
import { createTelegramChannel, TELEGRAM_ENDPOINT } from './telegram.js';
import { createWebhookChannel } from './webhook.js';

export type Channels = Record<ChannelType, Channel>;

/** Servers of services that have the same address for all customers; tests use other addresses. */
export interface Endpoints {
  telegram: string;
  pagerduty: string;
}
export const PUBLIC_ENDPOINTS: Endpoints = { telegram: TELEGRAM_ENDPOINT, pagerduty: PAGERDUTY_ENDPOINT };

interface ChannelsNeeds {
  fetch: GuardedFetch;
  endpoints: Endpoints;
  userAgent: string;
  mail: { smtpUrl: string | null; from: string };
  logger: Logger;
}

/** Returns the implementation of every channel type. */
export function createChannels(needs: ChannelsNeeds): Channels {
  const { fetch, logger, mail } = needs;
  return {
    email: createEmailChannel({ server: createMailServer(mail), logger }),
    slack: createSlackChannel({ fetch }),
    discord: createDiscordChannel({ fetch }),
    msteams: createMsteamsChannel({ fetch }),
    telegram: createTelegramChannel({ fetch, endpoint: needs.endpoints.telegram }),
    pagerduty: createPagerdutyChannel({ fetch, endpoint: needs.endpoints.pagerduty }),
    webhook: createWebhookChannel({ fetch, userAgent: needs.userAgent }),
    ntfy: createNtfyChannel({ fetch }),
  };
}
