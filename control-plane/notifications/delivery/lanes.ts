import type { OutboxRow } from '../documents.js';
import type { Answer } from './attempt.js';

/** So many of one channel are sent side by side once it has shown that it answers. */
export const LANE_WIDTH_MAX = 16;
/** A channel at its full width has so many times that claimed: a claim costs about the same for few rows as for many. */
const CLAIM_AHEAD = 4;

/**
 * A channel begins with one delivery at a time, so that one that hangs holds one place. Each that it takes doubles
 * what it is given at once; each that fails takes it back to one.
 */
export function nextWidth(width: number, answer: Answer['channel']): number {
  if (answer === 'failed') return 1;
  return answer === 'took' ? Math.min(LANE_WIDTH_MAX, width * 2) : width;
}

/** The deliveries to one channel. */
interface Lane {
  readonly channelId: string;
  /** How many may be sent at once. */
  width: number;
  /** The incidents of what is claimed. */
  busy: Set<string>;
  /** Claimed, and waiting for a place. */
  queue: Work[];
  sending: number;
  claiming: boolean;
  /** Claimed something since it has its place. */
  served: boolean;
  /** Something may be due that was not looked for yet. */
  wanted: boolean;
  /** Something may wait for the channel to answer again. */
  mayWait: boolean;
}

interface Work {
  row: OutboxRow;
  start(): Promise<Answer>;
}

interface LanesDeps {
  /** Channels that are served at once. */
  lanesMax: number;
  /** Takes rows of the channel that are due. */
  claim(channelId: string, rowsMax: number, busyIncidents: readonly string[]): Promise<OutboxRow[]>;
  /** How to work off each of the rows of one claim. */
  work(rows: readonly OutboxRow[]): (() => Promise<Answer>)[];
  /** After a channel that may have failed took something. */
  answers(row: OutboxRow): Promise<void>;
  /** The channel takes nothing before then. */
  rests(channelId: string, untilMs: number): void;
  failed(error: unknown, channelId: string): void;
}

/** Serves channels side by side, none waiting for another while there is a place. */
export interface Lanes {
  /** Something may be due for the channel. */
  look(channelId: string): void;
  /** Claims nothing from now on; resolves when nothing is under way. */
  close(): Promise<void>;
}

export function createLanes(deps: LanesDeps): Lanes {
  const lanes = new Map<string, Lane>();
  /** Channels that wait for a place, in their order, and the width that they have earned. */
  const waiting = new Map<string, number>();
  let closed = false;
  let emptied: () => void = () => undefined;

  function begin(channelId: string, width: number): void {
    const lane = createLane(channelId, width);
    lanes.set(channelId, lane);
    advance(lane);
  }

  function advance(lane: Lane): void {
    while (lane.sending < lane.width || closed) {
      const work = lane.queue.shift();
      if (work === undefined) break;
      void send(lane, work);
    }
    if (lane.claiming) return;
    // Others wait: whoever has had a turn goes behind them.
    const yields = waiting.size > 0 && lane.served;
    if (!closed && !yields && lane.wanted) {
      const placesMax = lane.width < LANE_WIDTH_MAX ? lane.width : LANE_WIDTH_MAX * CLAIM_AHEAD;
      if (lane.busy.size <= placesMax / 2) void claim(lane, placesMax - lane.busy.size);
    } else if (lane.busy.size === 0) end(lane);
  }

  async function claim(lane: Lane, rowsMax: number): Promise<void> {
    lane.claiming = true;
    lane.served = true;
    lane.wanted = false;
    try {
      const rows = await deps.claim(lane.channelId, rowsMax, [...lane.busy]);
      // Otherwise there was nothing more, and whatever comes says so.
      lane.wanted ||= rows.length === rowsMax;
      for (const row of rows) lane.busy.add(row.incident_id);
      const starts = rows.length === 0 ? [] : deps.work(rows);
      starts.forEach((start, index) => {
        const row = rows[index];
        if (row !== undefined) lane.queue.push({ row, start });
      });
    } catch (error) {
      deps.failed(error, lane.channelId);
    }
    lane.claiming = false;
    advance(lane);
  }

  async function send(lane: Lane, { row, start }: Work): Promise<void> {
    lane.sending += 1;
    try {
      await learn(lane, row, await start());
    } catch (error) {
      deps.failed(error, lane.channelId);
    }
    lane.sending -= 1;
    lane.busy.delete(row.incident_id);
    advance(lane);
  }

  async function learn(lane: Lane, row: OutboxRow, answer: Answer): Promise<void> {
    lane.width = nextWidth(lane.width, answer.channel);
    // What comes after it in its incident.
    lane.wanted = answer.pausedUntilMs === null;
    if (answer.pausedUntilMs !== null) deps.rests(lane.channelId, answer.pausedUntilMs);
    if (answer.channel === 'failed') lane.mayWait = true;
    if (answer.channel !== 'took' || !lane.mayWait) return;
    lane.mayWait = false;
    await deps.answers(row);
    lane.wanted = true;
  }

  function end(lane: Lane): void {
    lanes.delete(lane.channelId);
    if (lane.wanted && !closed) waiting.set(lane.channelId, lane.width);
    const [next] = waiting;
    if (next !== undefined) {
      waiting.delete(next[0]);
      begin(...next);
    }
    if (lanes.size === 0) emptied();
  }

  return {
    look(channelId) {
      if (closed) return;
      const lane = lanes.get(channelId);
      if (lane !== undefined) {
        lane.wanted = true;
        advance(lane);
      } else if (lanes.size < deps.lanesMax) begin(channelId, 1);
      else if (!waiting.has(channelId)) waiting.set(channelId, 1);
    },
    close() {
      closed = true;
      waiting.clear();
      const done = new Promise<void>((resolve) => {
        emptied = resolve;
      });
      for (const lane of lanes.values()) advance(lane);
      if (lanes.size === 0) emptied();
      return done;
    },
  };
}

function createLane(channelId: string, width: number): Lane {
  return {
    channelId,
    width,
    busy: new Set(),
    queue: [],
    sending: 0,
    claiming: false,
    served: false,
    wanted: true,
    mayWait: true,
  };
}
