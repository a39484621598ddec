import { createFakeNode, type FakeStream } from '../node-link/fake-node.js';
import type { StartAttack } from './attack.js';

/** Almost five minutes: a result of the future that is accepted is the newest one for that long. */
const AHEAD_MS = 290_000;

/** Reports as a drained probe that a target is up which is down. */
export const startProbe: StartAttack = async (plan, tally) => {
  const node = createFakeNode({ ...plan.probe, fingerprint: plan.fingerprint, address: plan.grpcAddress });
  let stream: FakeStream | null = null;
  const up = (slotMs: number, checkedAtMs: number) => ({
    ...{ monitorId: plan.hiddenMonitorId, monitorVersion: 1, slotMs, checkedAtMs, attempt: 0, final: true },
    ...{ reason: 'schedule', up: true, responseTimeMs: 5, httpStatus: 200 },
  });
  return {
    async round() {
      if (stream?.isOver() !== false) stream = await node.connect();
      const nowMs = Date.now();
      const results = [up(nowMs + AHEAD_MS, nowMs + AHEAD_MS), up(nowMs, nowMs + AHEAD_MS), up(nowMs, nowMs)];
      const { rejections } = await stream.results(results);
      tally.add('results accepted', results.length - rejections.length);
      for (const { reason } of rejections) tally.add(`results refused: ${reason}`);
    },
    end: () => node.close(),
  };
};
