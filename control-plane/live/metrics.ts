import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts the streams of this control plane, for `/metrics`. */
export interface LiveMetrics {
  sent(events: number): void;
  cutOff(): void;
  /** Sets what returns how long ago that began which the streams may miss. */
  lagIs(lagMs: () => number): void;
}

/** `open` returns the number of open streams. */
export function createLiveMetrics(registry: Registry, open: () => number): LiveMetrics {
  new Gauge({
    name: 'picket_event_streams_open',
    help: 'Open streams of GET /v1/events.',
    registers: [registry],
    collect() {
      this.set(open());
    },
  });
  const sent = new Counter({
    name: 'picket_events_sent_total',
    help: 'Events written to the streams of GET /v1/events, counted once for each stream.',
    registers: [registry],
  });
  const cutOff = new Counter({
    name: 'picket_event_streams_cut_off_total',
    help: 'Streams of GET /v1/events that were closed because the client did not read its events.',
    registers: [registry],
  });
  let lagMs = () => 0;
  new Gauge({
    name: 'picket_events_lag_seconds',
    help: 'Age of the last complete read of the log of events: what happened since may be missing on the streams of GET /v1/events.',
    registers: [registry],
    collect() {
      this.set(lagMs() / 1_000);
    },
  });
  return {
    sent: (events) => sent.inc(events),
    cutOff: () => cutOff.inc(),
    lagIs(next) {
      lagMs = next;
    },
  };
}
