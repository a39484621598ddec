import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { NotificationMetrics } from './notifications.js';

/** From what takes no time at all to what waited for a receiver through the night. */
const DELAY_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 28_800, 86_400];
const MS_PER_S = 1_000;

/** The counters of delivery on `/metrics`. */
export function createNotificationMetrics(registry: Registry): NotificationMetrics {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['channel'], registers: [registry] });
  const sent = counter('picket_notifications_sent_total', 'Notifications that their channel took.');
  const failed = counter('picket_notifications_failed_total', 'Notifications that were given up.');
  const retried = counter(
    'picket_notifications_retried_total',
    'Attempts that failed and will be followed by another.',
  );
  const delay = new Histogram({
    name: 'picket_notification_delay_seconds',
    help: 'From the moment a notification was due to the answer of its channel.',
    labelNames: ['channel'],
    buckets: DELAY_BUCKETS_S,
    registers: [registry],
  });
  const lag = new Gauge({
    name: 'picket_outbox_lag_seconds',
    help: 'How long the oldest notification that is due has waited; 0 when none does.',
    registers: [registry],
  });
  return {
    sent: (channel) => sent.inc({ channel }),
    failed: (channel) => failed.inc({ channel }),
    retried: (channel) => retried.inc({ channel }),
    delivered: (channel, delayMs) => delay.observe({ channel }, delayMs / MS_PER_S),
    lag: (oldestDueMs) => lag.set(oldestDueMs / MS_PER_S),
  };
}
