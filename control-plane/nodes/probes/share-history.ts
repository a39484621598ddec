import { createRendezvous } from './rendezvous.js';

/**
 * A probe's share of the monitors of its location: those that it owns among `members`, the probes that shared the
 * location at the time. A drained probe is not a member and owns nothing. Times are epoch milliseconds.
 */
export interface Share {
  readonly members: readonly string[];
  /** When the probe first had it. */
  fromMs: number;
  /** When the probe last had it, as far as is known. The share with the latest time is the one that it has. */
  lastMs: number;
}

/** The shares of one probe, from its stream here and from the database. Does no I/O. */
export interface ShareHistory {
  /** A stream was opened, and the probe gets its share among these members. Until then it had its latest share. */
  open(members: readonly string[], nowMs: number): void;
  /** The members have changed. */
  change(members: readonly string[], nowMs: number): void;
  /**
   * Adds the shares that are stored, which other control planes may have written. Call it once for each `open`. A probe
   * without any had its first share since `enrolledAtMs`.
   */
  merge(stored: readonly Share[], enrolledAtMs: number): void;
  /** Whether the probe had the monitor at this time, or within a hand-over of it. */
  has(monitorId: string, atMs: number): boolean;
  /** Makes the current share unsaved, so that its time is written again. */
  renew(nowMs: number): void;
  /** Returns the shares that were changed since the last call. */
  takeUnsaved(): Share[];
  /** Makes them unsaved again, because they could not be written. */
  keepUnsaved(shares: readonly Share[]): void;
}

/**
 * After a change of the members, the previous and the next owner of a monitor may both deliver results of checks within
 * this time: messages are under way, and control planes learn of a change some seconds apart.
 */
const HAND_OVER_MS = 60_000;
/** The least recent shares beyond this are forgotten. A location of six probes has 63 sets of members. */
export const SHARES_MAX = 64;

interface OwnedShare extends Share {
  owns(monitorId: string): boolean;
}

export function createShareHistory(nodeId: string): ShareHistory {
  const shares = new Map<string, OwnedShare>();
  const unsaved = new Set<Share>();
  let current = shareOf([], 0);
  let openedAtMs = 0;

  function shareOf(members: readonly string[], atMs: number): OwnedShare {
    const key = members.join();
    const known = shares.get(key);
    if (known !== undefined) return known;
    const owner = createRendezvous(members);
    const isMember = members.includes(nodeId);
    const owns = (monitorId: string) => isMember && owner(monitorId) === nodeId;
    return { members, fromMs: atMs, lastMs: atMs, owns };
  }

  function extend(share: OwnedShare, fromMs: number, lastMs: number): void {
    share.fromMs = Math.min(share.fromMs, fromMs);
    share.lastMs = Math.max(share.lastMs, lastMs);
    shares.set(share.members.join(), share);
    unsaved.add(share);
  }

  return {
    open(members, nowMs) {
      openedAtMs = nowMs;
      current = shareOf(members, nowMs);
      // Its time is extended by `merge`, which must still find the share that the probe had before.
      shares.set(members.join(), current);
      unsaved.add(current);
    },
    change(members, nowMs) {
      if (current.members.join() === members.join()) return;
      extend(current, current.fromMs, nowMs);
      current = shareOf(members, nowMs);
      extend(current, nowMs, nowMs + 1);
      forgetOldest(shares);
    },
    merge(stored, enrolledAtMs) {
      for (const { members, fromMs, lastMs } of stored) extend(shareOf(members, fromMs), fromMs, lastMs);
      const before = [...shares.values()].filter((share) => share.lastMs < openedAtMs);
      const latest = before.reduce<OwnedShare | null>((a, b) => (a !== null && a.lastMs > b.lastMs ? a : b), null);
      const first = [...shares.values()].reduce((a, b) => (b.fromMs < a.fromMs ? b : a), current);
      if (latest === null) extend(first, enrolledAtMs, first.lastMs);
      else extend(latest, latest.fromMs, openedAtMs);
      extend(current, openedAtMs, openedAtMs + 1);
      forgetOldest(shares);
    },
    has(monitorId, atMs) {
      if (atMs >= current.fromMs - HAND_OVER_MS && current.owns(monitorId)) return true;
      for (const share of shares.values()) {
        const hadIt = atMs >= share.fromMs - HAND_OVER_MS && atMs <= share.lastMs + HAND_OVER_MS;
        if (hadIt && share !== current && share.owns(monitorId)) return true;
      }
      return false;
    },
    renew: (nowMs) => extend(current, current.fromMs, nowMs),
    takeUnsaved() {
      const taken = [...unsaved];
      unsaved.clear();
      return taken;
    },
    keepUnsaved(again) {
      for (const share of again) unsaved.add(share);
    },
  };
}

function forgetOldest(shares: Map<string, OwnedShare>): void {
  if (shares.size <= SHARES_MAX) return;
  const byAge = [...shares.entries()].sort(([, a], [, b]) => a.lastMs - b.lastMs);
  for (const [key] of byAge.slice(0, shares.size - SHARES_MAX)) shares.delete(key);
}
