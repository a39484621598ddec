import type { CheckReason } from '../../proto/check-result.js';
import type { Inventory__Output } from '../../proto/generated/picket/link/v1/Inventory.js';
import type { MonitorAssignment } from '../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { ProcessSample__Output } from '../../proto/generated/picket/link/v1/ProcessSample.js';
import type { ScanResult__Output } from '../../proto/generated/picket/link/v1/ScanResult.js';
import type { ScanTask } from '../../proto/generated/picket/link/v1/ScanTask.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import type { AgentTokens } from './enrolment/token-list.js';

export interface ProbeIdentity {
  nodeId: string;
  kind: 'probe';
  location: string;
}

export interface AgentIdentity {
  /** The id of the server, `srv_…`. */
  nodeId: string;
  kind: 'agent';
  workspaceId: string;
}

/** The node of a stream, identified by its credential. */
export type NodeIdentity = ProbeIdentity | AgentIdentity;

/** One record of a batch, still encoded. */
export interface NodeRecord {
  seq: number;
  bytes: Uint8Array;
}

/** A record that will never be stored. The node can delete it. */
export interface RecordRejection {
  seq: number;
  reason: string;
}

/** Stores the records of nodes. The slice that owns the records implements it; `nodes/` does not decode them. */
export interface RecordHandler<N extends NodeIdentity = ProbeIdentity> {
  /**
   * Returns how long the records must wait because the node has used up its budget; 0 for not at all. Called once for
   * the records of each batch. They wait in memory, and further ones in the spool of the node.
   */
  delayMs(node: N, records: readonly NodeRecord[]): number;
  /**
   * Resolves once every record is stored with a majority write, or refused forever; then the batch is acknowledged.
   * Throws when the database is unavailable; then nothing is acknowledged, and the node sends the records again.
   */
  accept(node: N, records: NodeRecord[], receivedAtMs: number): Promise<RecordRejection[]>;
}

/** An agent that enrols. */
export interface NewAgent {
  id: string;
  workspace: { id: string; name: string; plan: PlanName };
  hostname: string;
  version: string;
  /** The e-mail address of the person who created the join token. */
  tokenMadeBy: string;
}

/** Handles agents. The slice that owns servers implements it. */
export interface AgentOwner {
  /** Called in the transaction of the enrolment. Throws AppError `plan_limit` when the plan allows no more servers. */
  enrolled(tx: Transaction, agent: NewAgent): Promise<void>;
  /** Called for each inventory that an agent sends. Must not throw. */
  inventory(node: AgentIdentity, inventory: Inventory__Output): void;
  records: RecordHandler<AgentIdentity>;
}

/** Requests to agents, independent of the control plane that they are connected to. */
export interface AgentRequests {
  /** Resolves to the busiest processes; null when the agent is not connected or does not respond within 8 s. */
  processes(serverId: string): Promise<ProcessSample__Output | null>;
}

/**
 * Whether control planes could receive what agents sent. The silence of an agent proves nothing about its server while
 * its control plane, all control planes or the database were away.
 */
export interface AgentReception {
  /** Of these agents without recent samples, resolves to those whose silence is their own. */
  lost(agents: readonly SilentAgent[]): Promise<ReadonlySet<string>>;
  /**
   * Returns the time until which control planes received what agents sent, by the database's clock in milliseconds since
   * the Unix epoch: now, or when they stopped; null if it is not known.
   */
  receivedUntilMs(): number | null;
}

export interface SilentAgent {
  /** The id of its server. */
  id: string;
  workspaceId: string;
  /** The time since its last sample. */
  silentMs: number;
}

/** The credentials of agents, for the slice that owns servers. */
export interface AgentCredentials {
  /** Creates a token for one server of the workspace, valid for 24 h. */
  createJoinToken(tx: Transaction, by: AgentTokenMaker): Promise<{ id: string; token: string; expiresAtMs: number }>;
  joinTokens: AgentTokens;
  /** Revokes the credential of the server's agent. Its stream is closed within 60 s. */
  revoke(tx: Transaction, serverId: string): Promise<void>;
}

export interface AgentTokenMaker {
  workspaceId: string;
  workspaceName: string;
  plan: PlanName;
  /** null for Picket itself. */
  userId: string | null;
  email: string;
}

/** A change of the monitors of locations. */
export interface AssignmentChange {
  /** Locations that check the monitor, each with its assignment. */
  put: { location: string; assignment: MonitorAssignment }[];
  /** Locations that no longer check the monitor. */
  remove: { location: string; monitorId: string }[];
}

/** A monitor that a location checks. */
export interface AssignedMonitor {
  readonly id: string;
  readonly workspace_id: string;
  /** A monitor with the same version has the same assignment. */
  readonly version: number;
  readonly interval_seconds: number;
  /** All its locations. */
  readonly locations: readonly string[];
}

/** Which monitors each location checks, and the changes. The monitors slice implements it. */
export interface AssignmentSource {
  /** Resolves when the first complete read is done. */
  ready(): Promise<void>;
  /**
   * Returns the active monitors of a location without building their assignments: those for which `assignment` is not
   * null. They may change while they are iterated; then the listeners of `subscribe` get the change.
   */
  monitors(location: string): Iterable<AssignedMonitor>;
  /** Returns one assignment, for a run-now command; null when the location does not check the monitor. */
  assignment(location: string, monitorId: string): MonitorAssignment | null;
  /** Reads these monitors again. When it resolves, `assignment` returns their new state. */
  refresh(monitorIds: readonly string[]): Promise<void>;
  subscribe(listener: (change: AssignmentChange) => void): () => void;
}

/** Which slots of monitors a probe was assigned, so that it cannot deliver results of other monitors. */
export interface AssignedSlots {
  /**
   * Resolves when the assignments by other control planes are known too. Rejects while the database is unavailable. Call
   * it before `isAssigned`, for a probe with a stream here.
   */
  ready(nodeId: string): Promise<void>;
  /**
   * Whether the probe was assigned the monitor at this time, or at most a minute before or after it. Assumes that the
   * location checks the monitor. A probe that shared its location with the same probes twice counts as if it had done so
   * in between, too.
   */
  isAssigned(nodeId: string, monitorId: string, atMs: number): boolean;
  /** Reads which probes are connected to other control planes, and assigns accordingly. Call it before a refusal. */
  refresh(): Promise<void>;
}

export type RunNowReason = Exclude<CheckReason, 'schedule'>;

/** Tells probes on any control plane to check at once. Best effort: it never throws. */
export interface ProbeCommands {
  runNow(command: { monitorId: string; locations: readonly string[]; slotMs: number; reason: RunNowReason }): void;
}

/** Security scans by the probes that are connected to this control plane. The slice that owns scans keeps their state. */
export interface ProbeScans {
  /** Returns the locations that have a probe here which may check and is free. */
  locations(isFree: (nodeId: string) => boolean): string[];
  /** Returns the free probe of one of these locations that is to run a scan; null if none is connected here. */
  choose(locations: readonly string[], key: string, isFree: (nodeId: string) => boolean): ProbeIdentity | null;
  /** Sends a task. Returns false if the probe is not connected any more, or reads too slowly. */
  start(nodeId: string, task: ScanTask): boolean;
  /** Sets what receives the results. It must not throw. A result is not sent again. */
  onResult(listener: (node: ProbeIdentity, result: ScanResult__Output) => void): void;
}

/** The current state of a location on all control planes. */
export interface LocationPresence {
  /** Probes with a live stream. */
  connectedProbes: number;
  /** Those of them that may check: a drained probe has no assignments. */
  checkingProbes: number;
  /** The last time when a probe that may check had a live stream; null when there is none in the database. */
  lastCheckingAtMs: number | null;
  /** Whether the canary targets of the location respond; null without canary targets or probes. */
  canaryOk: boolean | null;
}

export { ABSENT_AFTER_MS, isPresent } from './presence/is-present.js';

export interface LocationDirectory {
  /** Returns the codes of all locations, the built-in ones first. */
  codes(): string[];
  name(code: string): string;
  presence(code: string): LocationPresence;
}
