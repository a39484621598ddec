import type { Test } from 'tap';
import { notificationsSlice } from '../../../control-plane/notifications/open.js';
import type { Channel } from '../../../control-plane/notifications/schema.js';
import { createReferences } from '../../../control-plane/references/references.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../app.js';
import { KINDS } from '../incidents/kinds.js';
import { openRecipients } from '../recipients/open.js';
import { allWork } from '../standing.js';
import { countedMetrics } from './build.js';

/** No receiver is too slow, unless a test says so. */
const EXCHANGE_TIMEOUT_MS = 600_000;

interface ChannelsOptions {
  allowPrivate: boolean;
  smtpUrl?: string;
  exchangeTimeoutMs?: number;
  /** Of Telegram and PagerDuty. */
  endpoint?: string;
}

/** Returns a function that starts the API of channels, in the operators' workspace. Its apps stop with the test. */
export function channelsAppWith(t: Test, mongo: Mongo) {
  return async (options: ChannelsOptions): Promise<TestApp> => {
    let workspaceId: string | null = null;
    const app = await startApp({
      mongo,
      async routes(parts) {
        const guard = createTargetGuard({ allowPrivate: options.allowPrivate });
        const { recipients } = openRecipients({ ...parts, operatorsWorkspace: () => workspaceId });
        const endpoint = options.endpoint ?? 'http://127.0.0.1:9';
        const notifications = notificationsSlice.open({
          ...parts,
          db: parts.mongo.db,
          references: createReferences(parts.mongo.db, () => []),
          box: parts.secretBox,
          systemActor: () => Promise.reject(new Error('not used here')),
          incidents: { heads: async () => [], loadMany: async () => [] },
          kinds: KINDS,
          sources: { monitors: async () => new Map(), locationName: (code) => code, renderIncident: () => ({}) },
          actionLink: () => 'http://picket.test/on-call?t=not-used-here',
          metrics: countedMetrics(),
          guard,
          fetch: createGuardedFetch({ guard, clock: parts.clock }),
          random: systemRandom,
          logger: createLogger({ name: 'test', level: 'silent' }),
          publicUrl: 'http://picket.test',
          smtpUrl: options.smtpUrl ?? null,
          mailFrom: 'picket@picket.test',
          version: '0.0.0',
          standingOf: allWork,
          recipients: recipients.people,
          endpoints: { telegram: endpoint, pagerduty: endpoint },
          exchangeTimeoutMs: options.exchangeTimeoutMs ?? EXCHANGE_TIMEOUT_MS,
        });
        await notifications.ensureIndexes();
        t.teardown(() => Promise.all(notifications.jobs.map((job) => job.stop())));
        return notifications.routes;
      },
    });
    workspaceId = app.workspace.id;
    t.teardown(() => app.close());
    return app;
  };
}

/** Returns a function that sends the creation of a channel, to `app` unless another one is given. */
export const createChannelIn =
  (app: TestApp) =>
  (body: unknown, to = app) =>
    to.request<Channel & { secret?: string }>('POST', '/v1/channels', { body });

export const VALID: Record<string, Record<string, unknown>> = {
  email: { to: ['ann@example.com', 'bob@example.com'] },
  slack: { url: 'https://hooks.slack.com/services/T0/B0/SLACKSECRET1' },
  discord: { url: 'https://discord.com/api/webhooks/1/DISCORDSECRET2' },
  msteams: { url: 'https://prod.logic.azure.com/workflows/TEAMSSECRET3' },
  telegram: { bot_token: '123456:TELEGRAMSECRET4-abcdefgh', chat_id: '-100123' },
  pagerduty: { routing_key: 'PAGERDUTYSECRET5abcdefghijklmnop' },
  webhook: { url: 'https://example.com/hook' },
  ntfy: { url: 'https://ntfy.sh', topic: 'alerts', token: 'tk_NTFYSECRET6' },
};
export const SECRETS = /SLACKSECRET1|DISCORDSECRET2|TEAMSSECRET3|TELEGRAMSECRET4|PAGERDUTYSECRET5|NTFYSECRET6|whsec_/;
