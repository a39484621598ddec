import { createTransport } from 'nodemailer';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { Logger } from '../../../kernel/logger.js';
import type { ChannelType } from '../channel-configs.js';
import type { Channel } from './channel.js';
import { createDiscordChannel } from './discord.js';
import { createEmailChannel, type MailTransport } from './email.js';
import { createMsteamsChannel } from './msteams.js';
import { createNtfyChannel } from './ntfy.js';
import { createPagerdutyChannel, PAGERDUTY_ENDPOINT } from './pagerduty.js';
import { createSlackChannel } from './slack.js';
import { createTelegramChannel, TELEGRAM_ENDPOINT } from './telegram.js';
import { createWebhookChannel } from './webhook.js';

export type Channels = Record<ChannelType, Channel>;

const SMTP_CONNECTIONS_MAX = 5;
const SMTP_CONNECT_TIMEOUT_MS = 10_000;
const SMTP_SILENCE_TIMEOUT_MS = 15_000;

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
  const transport = mail.smtpUrl === null ? null : smtpTransport(mail.smtpUrl);
  return {
    email: createEmailChannel({ transport, from: mail.from, logger }),
    slack: createSlackChannel({ fetch }),
    discord: createDiscordChannel({ fetch }),
    msteams: createMsteamsChannel({ fetch }),
    telegram: createTelegramChannel({ fetch, endpoint: needs.endpoints.telegram }),
    pagerduty: createPagerdutyChannel({ fetch, endpoint: needs.endpoints.pagerduty }),
    webhook: createWebhookChannel({ fetch, userAgent: needs.userAgent }),
    ntfy: createNtfyChannel({ fetch }),
  };
}

function smtpTransport(url: string): MailTransport {
  return createTransport({
    url,
    pool: true,
    maxConnections: SMTP_CONNECTIONS_MAX,
    connectionTimeout: SMTP_CONNECT_TIMEOUT_MS,
    greetingTimeout: SMTP_CONNECT_TIMEOUT_MS,
    socketTimeout: SMTP_SILENCE_TIMEOUT_MS,
    // E-mails have no attachments, so no text in them may make nodemailer read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
