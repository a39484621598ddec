import type { Binary } from 'mongodb';
import type { PlanName } from '../accounts/plans.js';

/** One document of `nodes`: an enrolled node and its credential. Kept after revocation, so that it can be told so. */
interface NodeBase {
  _id: string;
  version: string;
  hostname: string;
  /** SHA-256 of the credential, hex. */
  credential_hash: string;
  /** The one before the last rotation; valid until the new one is first used, then null. */
  previous_credential_hash: string | null;
  credential_issued_at_ms: number;
  enrolled_at_ms: number;
  /** Operators' changes, for `ETag`. */
  document_version: number;
  drained_at_ms: number | null;
  revoked_at_ms: number | null;
}

/** It belongs to the installation. */
export interface ProbeDocument extends NodeBase {
  kind: 'probe';
  location: string;
}

/** It belongs to a workspace; `_id` is also the server's. */
export interface AgentDocument extends NodeBase {
  kind: 'agent';
  workspace_id: string;
}

export type NodeDocument = ProbeDocument | AgentDocument;

/** One document of `join_tokens`. `_id` is the SHA-256 of the secret, hex: the secret itself is nowhere stored. */
export type JoinTokenDocument = TokenBase & ({ kind: 'probe'; location: string } | { kind: 'agent' });

interface TokenBase {
  _id: string;
  /** Of whoever made the token: its audit log hears of the enrolment, and a server becomes its own. */
  workspace: { id: string; name: string; plan: PlanName };
  created_by: string;
  created_at_ms: number;
  expires_at: Date;
  used_at_ms: number | null;
  node_id: string | null;
}

/** One document of `locations`; `_id` is the code. */
export interface LocationDocument {
  _id: string;
  city: string;
  region: string;
  canary_targets: string[];
  /** The specification's five have 0 to 4, others the time of their making: the order of every list. */
  position: number;
  created_at_ms: number;
  updated_at_ms: number;
  version: number;
}

/** What a node says of itself, as last heard. */
export interface NodeReport {
  spool_records: number;
  spool_bytes: number;
  dropped_total: number;
  lag_ms: number;
  canaries: number;
  canary_ok: boolean;
  assignments: number;
  lateness_p50_ms: number;
  lateness_p99_ms: number;
  slots_due: number;
  slots_run: number;
}

/**
 * One document of `node_presence` (probes) or `agent_presence`: which control plane holds the node's stream. `_id` is the node's. Whoever
 * writes its own `stream_id` into it owns the node; a stream that finds another one there has been replaced.
 */
export interface PresenceDocument {
  _id: string;
  /** Check location of a probe, workspace of an agent. */
  location: string;
  control_plane: string;
  stream_id: string;
  /** Tells processes that share a credential apart. */
  instance: string;
  /** SHA-256 of the credential that opened the stream. */
  credential_hash: string;
  connected: boolean;
  /** The node or its control plane is going away, or the node is silent: another stream may take over at once. */
  draining: boolean;
  drained: boolean;
  version: string;
  connected_at_ms: number;
  /** The database's clock: control planes need not agree on the time. */
  seen_at: Date;
  report: NodeReport | null;
}

/** One document of `node_lateness`: `_id` is `<node>/<minute>`. What `/v1/locations` is made of. */
export interface LatenessDocument {
  _id: string;
  location: string;
  at: Date;
  p50_ms: number;
  p99_ms: number;
  slots_run: number;
}

/** One document of `probe_commands`: `_id` is `<monitor>/<slot>/<location>`. */
export interface ProbeCommandDocument {
  _id: string;
  monitor_id: string;
  location: string;
  /** The probe that shall run it; null when none was known where it was asked for. */
  node_id: string | null;
  slot_ms: number;
  reason: string;
  /** The control plane that asked; it has served its own nodes already. */
  control_plane: string;
  created_at: Date;
}

/** One document of `agent_requests`: a question to an agent whose stream another control plane holds. */
export interface AgentRequestDocument {
  _id: string;
  server_id: string;
  /** Of the asker; whoever holds the stream answers. */
  control_plane: string;
  created_at: Date;
  /** An encoded ProcessSample; null until it is answered. */
  answer: Binary | null;
}

/** The one document of `certificate_authorities`. */
export interface AuthorityDocument {
  _id: 'nodes';
  certificate: string;
  /** PKCS #8 in PEM, sealed with the secret box. */
  sealed_key: string;
  created_at_ms: number;
}
