import type { Inventory__Output } from '../../proto/generated/picket/link/v1/Inventory.js';
import type { MonitorAssignment } from '../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { ProcessSample__Output } from '../../proto/generated/picket/link/v1/ProcessSample.js';
import type { PlanName } from '../accounts/plans.js';
import type { Transaction } from '../storage/transaction.js';

export interface ProbeIdentity {
  nodeId: string;
  kind: 'probe';
  location: string;
}

export interface AgentIdentity {
  /** `srv_…`: the server's own id. */
  nodeId: string;
  kind: 'agent';
  workspaceId: string;
}

/** Who is at the other end of a stream, as its credential says. */
export type NodeIdentity = ProbeIdentity | AgentIdentity;

/** One record of a batch, still encoded. */
export interface NodeRecord {
  seq: number;
  bytes: Uint8Array;
}

/** A record that will never be stored; the node may forget it. */
export interface RecordRejection {
  seq: number;
  reason: string;
}

/** Takes what nodes report. Implemented by the slice that owns the records; `nodes/` only carries bytes. */
export interface RecordHandler<N extends NodeIdentity = ProbeIdentity> {
  /**
   * Resolves once every record is stored by a majority write or refused for good: what it resolves is
   * acknowledged. Throws when the database cannot be reached; then nothing is acknowledged and the node keeps it.
   */
  accept(node: N, records: NodeRecord[], receivedAtMs: number): Promise<RecordRejection[]>;
}

/** An agent that joins. */
export interface NewAgent {
  id: string;
  workspace: { id: string; name: string; plan: PlanName };
  hostname: string;
  version: string;
  /** E-mail of whoever made the join token. */
  tokenMadeBy: string;
}

/** What agents are to the rest of the product. Implemented by the slice that owns servers. */
export interface AgentOwner {
  /** In the transaction of the enrolment. Throws AppError `plan_limit` when the workspace has no place for it. */
  enrolled(tx: Transaction, agent: NewAgent): Promise<void>;
  /** What an agent says of its server. Must not throw. */
  inventory(node: AgentIdentity, inventory: Inventory__Output): void;
  records: RecordHandler<AgentIdentity>;
}

/** Questions to agents, on whichever control plane they are connected. */
export interface AgentRequests {
  /** The busiest processes now; null when the agent is not connected or does not answer within 8 s. */
  processes(serverId: string): Promise<ProcessSample__Output | null>;
}

/** Credentials of agents, as the slice that owns servers may ask for them. */
export interface AgentCredentials {
  /** With the token one server may join the workspace within 24 h. */
  createJoinToken(tx: Transaction, by: AgentTokenMaker): Promise<{ token: string; expiresAtMs: number }>;
  /** Its stream is closed within 60 s, and its credential is void for good. */
  revoke(tx: Transaction, serverId: string): Promise<void>;
}

export interface AgentTokenMaker {
  workspaceId: string;
  workspaceName: string;
  plan: PlanName;
  email: string;
}

/** A change of what a location has to check. */
export interface AssignmentChange {
  /** Locations that gain or keep the monitor, with the assignment as each gets it. */
  put: { location: string; assignment: MonitorAssignment }[];
  /** Locations that lose it. */
  remove: { location: string; monitorId: string }[];
}

/** What the monitors slice offers to `nodes/`: who checks what, now and as it changes. */
export interface AssignmentSource {
  /** Resolves when the first complete read is done. */
  ready(): Promise<void>;
  /** Active monitors of a location. Paused and deleted ones are not in it. */
  assignments(location: string): MonitorAssignment[];
  /** One assignment, for a run-now at a probe that may not hold it yet; null when it is not the location's. */
  assignment(location: string, monitorId: string): MonitorAssignment | null;
  /** Reads these monitors again, for one that may be newer than what is known; what it resolves has taken effect. */
  refresh(monitorIds: readonly string[]): Promise<void>;
  subscribe(listener: (change: AssignmentChange) => void): () => void;
}

export type RunNowReason = 'confirm' | 'manual' | 'resume' | 'recovery';

/** Asks probes, on whichever control plane they are connected, to check at once. Best effort, never throws. */
export interface ProbeCommands {
  runNow(command: { monitorId: string; locations: readonly string[]; slotMs: number; reason: RunNowReason }): void;
}

/** What is known of a location at this moment, over all control planes. */
export interface LocationPresence {
  /** Probes with a live stream. */
  connectedProbes: number;
  /** The last time a probe of the location had a live stream; null when never. */
  lastConnectedAtMs: number | null;
  /** Whether the location's canary targets answer; null when it has none or nobody reports. */
  canaryOk: boolean | null;
}

export interface LocationDirectory {
  /** Codes of all locations, the specification's five first. */
  codes(): string[];
  name(code: string): string;
  presence(code: string): LocationPresence;
}
