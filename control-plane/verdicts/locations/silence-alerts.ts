import type { Clock } from '../../../kernel/clock.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import { type PlatformText, uncheckedSentence } from './messages.js';
import type { PlatformAlerts } from './platform-alerts.js';
import type { Silence } from './silence.js';
import type { Unchecked } from './unchecked-monitors.js';

/** The alerts about locations without a probe that may check, one for each location. */
export interface SilenceAlerts {
  /** Returns the newest alert of the location, resolved or not. */
  latest(code: string): Promise<IncidentDocument | null>;
  raise(code: string, silence: Silence, monitors: number): Promise<void>;
  /** Adds monitors that no location can check since the alert was opened, such as new ones. */
  nameUnchecked(code: string, silence: Silence, monitors: number, alert: IncidentDocument | null): Promise<void>;
  resolve(code: string, text: PlatformText): Promise<void>;
}

export function createSilenceAlerts(needs: {
  clock: Clock;
  runTransaction: RunTransaction;
  /** Returns the monitors of the location that no location can check. */
  unchecked(code: string, nowMs: number): Promise<Unchecked>;
  alerts: PlatformAlerts;
}): SilenceAlerts {
  const { clock, alerts, runTransaction } = needs;
  return {
    latest: (code) => alerts.latest(silenceSubject(code)),
    async raise(code, silence, monitors) {
      const unchecked = await needs.unchecked(code, clock.now());
      const text = { kind: 'silent', ...silence, monitors, unchecked } as const;
      const alert = { subject: silenceSubject(code), location: code, severity: severityOf(unchecked), text };
      try {
        await runTransaction((tx) => alerts.open(tx, { ...alert, startedAtMs: silence.sinceMs }));
      } catch (error) {
        // Another control plane opened the alert at the same time.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async nameUnchecked(code, { cause }, monitors, alert) {
      const unchecked = await needs.unchecked(code, clock.now());
      if (alert === null || unchecked.count === 0 || alert.message.includes(uncheckedSentence(unchecked))) return;
      const text = { kind: 'silent', cause, sinceMs: alert.started_at_ms, monitors, unchecked } as const;
      const event = uncheckedSentence(unchecked);
      await runTransaction((tx) => alerts.change(tx, { alert, location: code, severity: 'critical', text, event }));
    },
    async resolve(code, text) {
      await runTransaction((tx) => alerts.resolve(tx, { subject: silenceSubject(code), location: code, text }));
    },
  };
}

export function silenceSubject(code: string): string {
  return `location:${code}`;
}

function severityOf({ count }: Unchecked): 'critical' | 'warning' {
  return count > 0 ? 'critical' : 'warning';
}
