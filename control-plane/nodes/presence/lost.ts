/** A control plane that was not heard for longer was paused: stopped, suspended, or without its database. */
export const PAUSE_MS = 3_000;
/** How long agents have to reconnect after a control plane started, stopped or failed. Their own delay is half of it. */
export const GRACE_MS = 60_000;
/** The grace with a control plane that has just started, which may be the one that agents wait for. */
const GRACE_MS_MAX = 150_000;
/** An agent that has just reconnected sends what it holds within this time. */
const DELIVERY_MS = 10_000;
/** An agent that reconnects all the time and sends nothing is lost in the end. */
const RECONNECTING_MS_MAX = 180_000;

/** The heartbeat of a control plane. Ages are differences to the database's clock. */
export interface AgedControlPlane {
  _id: string;
  stopped: boolean;
  seen_at_ms: number;
  age_ms: number;
  /** How much longer the silence of its agents proves nothing; negative when it does. */
  waits_ms: number;
  /** The last heartbeat before its last pause; null without a pause. */
  received_until_ms: number | null;
}

/** Which control plane holds, or held, the stream of an agent. */
export interface AgedHolder {
  control_plane: string;
  connected: boolean;
  /** How long ago the stream was opened; null if it is not known. */
  claimed_ms: number | null;
  /** How long ago the control plane last knew that the agent is connected. */
  renewed_ms: number;
}

/**
 * Whether the silence of an agent is its own: control planes could receive its samples, and had given it the time to
 * reconnect. `silentMs` is the time since its last sample. `holder` is null for an agent that never connected.
 */
export function isLost(
  silentMs: number,
  holder: AgedHolder | null,
  controlPlanes: readonly AgedControlPlane[],
): boolean {
  if (!controlPlanes.some(isReceiving)) return false;
  const plane = controlPlanes.find(({ _id }) => _id === holder?.control_plane);
  if (holder === null) return true;
  // A control plane of an earlier version has no heartbeat and stores no `heard_at`, but it renews its streams.
  if (plane === undefined) return holder.renewed_ms >= GRACE_MS;
  if (isRunning(plane)) return isReceiving(plane) && !isDelivering(silentMs, holder);
  if (plane.age_ms < GRACE_MS) return false;
  const isReplaced = controlPlanes.some((one) => isRunning(one) && !isReceiving(one));
  return !isReplaced || plane.age_ms >= GRACE_MS_MAX;
}

/**
 * Returns the time until which control planes received what agents sent, in milliseconds since the Unix epoch; `nowMs`
 * while one of them receives, null if it is not known.
 */
export function receivedUntilMs(controlPlanes: readonly AgedControlPlane[], nowMs: number): number | null {
  if (controlPlanes.some(isReceiving)) return nowMs;
  const times = controlPlanes.map((plane) => (isRunning(plane) ? plane.received_until_ms : plane.seen_at_ms));
  return times.reduce((latest, time) => (time === null || (latest ?? 0) > time ? latest : time), null);
}

function isRunning({ stopped, age_ms }: AgedControlPlane): boolean {
  return !stopped && age_ms <= PAUSE_MS;
}

/** Whether its agents have been able to reach it for long enough. */
function isReceiving(plane: AgedControlPlane): boolean {
  return isRunning(plane) && plane.waits_ms <= 0;
}

function isDelivering(silentMs: number, { connected, claimed_ms }: AgedHolder): boolean {
  return connected && claimed_ms !== null && claimed_ms < DELIVERY_MS && silentMs < RECONNECTING_MS_MAX;
}
