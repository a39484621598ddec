import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { NotificationMetrics } from './notifications.js';

/** From deliveries without delay to those that waited for an unavailable receiver all night. */
const DELAY_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 28_800, 86_400];
const MS_PER_S = 1_000;

/** Creates the delivery metrics on `/metrics`. */
export function createNotificationMetrics(registry: Registry): NotificationMetrics {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['channel'], registers: [registry] });
  const sent = counter('picket_notifications_sent_total', 'Notifications that their channel accepted.');
  const failed = counter('picket_notifications_failed_total', 'Notifications that failed permanently.');
  const unconfirmed = counter(
    'picket_notifications_unconfirmed_total',
    'Notifications that nobody got because no recipient has confirmed.',
  );
  const retried = counter('picket_notifications_retried_total', 'Failed attempts that will be retried.');
  const delay = new Histogram({
    name: 'picket_notification_delay_seconds',
    help: 'Time from when a notification was due to the response of its channel.',
    labelNames: ['channel'],
    buckets: DELAY_BUCKETS_S,
    registers: [registry],
  });
  const lag = new Gauge({
    name: 'picket_outbox_lag_seconds',
    help: 'How long the oldest due notification has waited; 0 if none is due.',
    registers: [registry],
  });
  return {
    sent: (channel) => sent.inc({ channel }),
    failed: (channel) => failed.inc({ channel }),
    unconfirmed: (channel) => unconfirmed.inc({ channel }),
    retried: (channel) => retried.inc({ channel }),
    delivered: (channel, delayMs) => delay.observe({ channel }, delayMs / MS_PER_S),
    lag: (oldestDueMs) => lag.set(oldestDueMs / MS_PER_S),
  };
}
