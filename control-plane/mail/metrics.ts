import { Counter, type Registry } from 'prom-client';

/** What happened to a mail. `retried`: an attempt failed, and another one follows. */
export type MailStatus = 'sent' | 'failed' | 'expired' | 'skipped' | 'retried';

export interface MailMetrics {
  count(kind: string, status: MailStatus): void;
}

/** Creates the metric of mails on `/metrics`. */
export function createMailMetrics(registry: Registry): MailMetrics {
  const mails = new Counter({
    name: 'picket_mails_total',
    help: 'Mails about accounts and workspaces, by what happened to them. retried counts failed attempts.',
    labelNames: ['kind', 'status'],
    registers: [registry],
  });
  return { count: (kind, status) => mails.inc({ kind, status }) };
}
