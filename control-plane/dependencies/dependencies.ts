import type { Transaction } from '../storage/transaction.js';

/** Something that fails and can depend on monitors. */
export interface FailingThing {
  workspaceId: string;
  /** `monitor` or `server`. Nothing else depends on monitors. */
  type: string;
  id: string;
  tags: readonly string[];
  /** The channels that its incident notifies; null: every channel. */
  channels: readonly string[] | null;
  /** When its failure began, in milliseconds since the Unix epoch. */
  failingSinceMs: number;
  /** What has kept it from notifying so far; null if nothing has. */
  hold: Hold | null;
}

/** See `Hold`. */
export const HOLD_STATES = ['waiting', 'parent_down', 'parent_recovered'] as const;

/** Why something that fails does not notify: because of a monitor that it depends on. */
export interface Hold {
  /**
   * `waiting`: Picket does not know yet whether the monitor still works. `parent_down`: the monitor is down.
   * `parent_recovered`: it was until a short time ago, and what depends on it may need that long to recover.
   */
  state: (typeof HOLD_STATES)[number];
  monitor_id: string;
  monitor_name: string;
  /** The incident of the monitor's outage; null while it is not known. */
  incident_id: string | null;
  /** Since when it has been kept from notifying. */
  since_ms: number;
  /** Since when it has been `waiting`; null in every other state. */
  waiting_since_ms: number | null;
  /** It notifies then at the latest; null while the monitor is down. */
  until_ms: number | null;
  /** Every monitor that it depends on, directly or not: the first `ANCESTORS_KEPT_MAX`. */
  ancestor_ids: string[];
}

/** Decides what notifies by itself, and what is silent because a monitor that it depends on is down. */
export interface Dependencies {
  /**
   * Returns, in their order, what keeps things that began to fail from notifying, and how many things depend on each (`dependents`;
   * 0 for what is no monitor). Requests a check of the monitors that they wait for, after the commit, so that the wait ends soon.
   * Hardly more round trips for many things than for one.
   */
  began(
    tx: Transaction,
    things: readonly FailingThing[],
    nowMs: number,
  ): Promise<{ hold: Hold | null; dependents: number }[]>;
  /** Returns, in their order, what keeps these things from notifying now; null: they notify. */
  holds(things: readonly FailingThing[], nowMs: number, tx?: Transaction): Promise<(Hold | null)[]>;
  /** Returns how many monitors and servers depend on each of the monitors, without those that are paused. Those with none are left out. */
  dependentsOf(workspaceId: string, monitorIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A monitor that something depends on, with what decides whether it works. */
export interface ParentMonitor {
  id: string;
  workspaceId: string;
  name: string;
  tags: readonly string[];
  /** The channels that it notifies; null: every channel. */
  channels: readonly string[] | null;
  /** By a person. */
  isPaused: boolean;
  /** It is not checked because its workspace is stopped. */
  isStopped: boolean;
  /** Whether a check is recent enough to say how it is. */
  isKnown: boolean;
  /** Some of its locations fail, whether or not they are enough. */
  isFailing: boolean;
  status: 'up' | 'down';
  changedAtMs: number;
  /** Whether it has been down before. */
  hasRecovered: boolean;
  intervalMs: number;
  locations: readonly string[];
  /** How many locations must fail before it is down; null: a majority. */
  confirmations: number | null;
  /** When each of its locations with a recent check was checked, and whether that succeeded. */
  checks: readonly { atMs: number; up: boolean }[];
  /** The unresolved incident of its outage; null without one. */
  incidentId: string | null;
  /** It had an incident when its checks were last judged, perhaps with other settings. */
  hadIncident: boolean;
}

/** Returns how many of `valid` votes must be down before a monitor with `assigned` locations is. */
export type RequiredDownVotes = (assigned: number, valid: number, confirmations: number | null) => number;

/** Reads monitors that something depends on; returns those that exist, in no order. */
export type ParentReads = (
  workspaceIds: readonly string[],
  ids: readonly string[],
  nowMs: number,
  tx?: Transaction,
) => Promise<ParentMonitor[]>;

/** Counts things of a workspace that are not paused and have one of these ids or tags, without one of them. */
export type CountAmong = (
  workspaceId: string,
  by: { ids: readonly string[]; tags: readonly string[]; except: string },
  max: number,
  tx?: Transaction,
) => Promise<number>;
