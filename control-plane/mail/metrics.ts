import { Counter, Gauge, type Registry } from 'prom-client';

/** What happened to a mail. `retried`: an attempt failed, and another one follows. */
export type MailStatus = 'sent' | 'failed' | 'expired' | 'skipped' | 'retried';

export interface MailMetrics {
  count(kind: string, status: MailStatus): void;
  /** Mails of the whole installation; null while the database does not answer. */
  waiting(found: { mails: number; oldestS: number } | null): void;
}

/** Creates the metrics of mails on `/metrics`. */
export function createMailMetrics(registry: Registry): MailMetrics {
  const mails = new Counter({
    name: 'picket_mails_total',
    help: 'Mails about accounts and workspaces, by what happened to them. retried counts failed attempts.',
    labelNames: ['kind', 'status'],
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'picket_mails_waiting',
    help: 'Mails of the installation that are not sent yet, the same on each control plane; NaN while unknown.',
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'picket_mails_oldest_waiting_seconds',
    help: 'Age of the oldest mail that is not sent yet, 0 without one; NaN while unknown.',
    registers: [registry],
  });
  return {
    count: (kind, status) => mails.inc({ kind, status }),
    waiting(found) {
      waiting.set(found?.mails ?? Number.NaN);
      oldest.set(found?.oldestS ?? Number.NaN);
    },
  };
}
