import type { Binary } from 'mongodb';
import type { PlanName } from '../plans/plans.js';

/**
 * A document of `nodes`: an enrolled node and its credential. It is kept after revocation, so that the node gets the
 * reason.
 */
interface NodeBase {
  _id: string;
  version: string;
  hostname: string;
  /** SHA-256 of the credential in hexadecimal. */
  credential_hash: string;
  /** The credential before the last rotation. It is valid until the first use of the new one, then null. */
  previous_credential_hash: string | null;
  credential_issued_at_ms: number;
  enrolled_at_ms: number;
  /** Counts changes by operators, for `ETag`. */
  document_version: number;
  drained_at_ms: number | null;
  revoked_at_ms: number | null;
}

/** A probe, which belongs to the installation. */
export interface ProbeDocument extends NodeBase {
  kind: 'probe';
  location: string;
}

/** An agent, which belongs to a workspace. Its `_id` is also the id of its server. */
export interface AgentDocument extends NodeBase {
  kind: 'agent';
  workspace_id: string;
}

export type NodeDocument = ProbeDocument | AgentDocument;

/** A document of `join_tokens`. `_id` is the SHA-256 of the secret in hexadecimal; the secret itself is not stored. */
export type JoinTokenDocument = TokenBase & ({ kind: 'probe'; location: string } | { kind: 'agent' });

/** A token with an id. */
export type ListedToken = JoinTokenDocument & { token_id: string };

interface TokenBase {
  _id: string;
  /** `jtk_…`, for lists. Missing in tokens of earlier versions. */
  token_id?: string;
  /** The workspace in which the token was created. Its audit log records the enrolment, and a server belongs to it. */
  workspace: { id: string; name: string; plan: PlanName };
  /** The e-mail address of the person who created it. */
  created_by: string;
  /** The person; null for Picket itself. Missing in tokens of earlier versions. */
  maker_id?: string | null;
  created_at_ms: number;
  expires_at: Date;
  used_at_ms: number | null;
  node_id: string | null;
}

/** A document of `locations`. `_id` is the code. */
export interface LocationDocument {
  _id: string;
  city: string;
  region: string;
  canary_targets: string[];
  /** The sort key of lists: 0 to 4 for the built-in locations, the time of creation for others. */
  position: number;
  created_at_ms: number;
  updated_at_ms: number;
  version: number;
}

/** The last status of a probe. */
export interface NodeStatus {
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
  /** Stalls of the probe's process since its start. Rows of earlier versions have none. */
  stalls_total?: number;
}

/**
 * A document of `node_presence` (probes) or `agent_presence`: which control plane holds the stream of the node. `_id`
 * is the id of the node. The stream in `stream_id` is the current one; every other stream of the node has been
 * replaced.
 */
export interface PresenceDocument {
  _id: string;
  /** Check location of a probe, workspace of an agent. */
  location: string;
  control_plane: string;
  stream_id: string;
  /** Distinguishes processes that share a credential. */
  instance: string;
  /** SHA-256 of the credential that opened the stream. */
  credential_hash: string;
  connected: boolean;
  /** The node is silent, or it or its control plane is shutting down: another stream may replace this one at once. */
  draining: boolean;
  drained: boolean;
  version: string;
  connected_at_ms: number;
  /** By the database's clock, because the clocks of control planes can differ. */
  seen_at: Date;
  /** When the stream was opened, by the database's clock. Rows of earlier versions have none. */
  claimed_at?: Date;
  report: NodeStatus | null;
}

/** A document of `control_planes`: the heartbeat of a process, by the database's clock. `_id` is the id of the process. */
export interface ControlPlaneDocument {
  _id: string;
  seen_at: Date;
  /** Before this, the silence of its agents proves nothing: it has just started, or was paused. */
  complete_from: Date;
  /** The last heartbeat before its last pause; null without a pause. */
  received_until: Date | null;
  /** It was stopped in an orderly way. */
  stopped: boolean;
}

/**
 * A document of `probe_shares`: a probe had its share of the location's monitors, those that it owns among `members`,
 * between these times. `_id` is `<node>/<hash of the members>`.
 */
export interface ProbeShareDocument {
  _id: string;
  node_id: string;
  members: string[];
  from: Date;
  last: Date;
}

/** A document of `node_lateness`, for `/v1/locations`. `_id` is `<node>/<minute>`. */
export interface LatenessDocument {
  _id: string;
  location: string;
  at: Date;
  p50_ms: number;
  p99_ms: number;
  slots_run: number;
}

/** A document of `probe_commands`. `_id` is `<monitor>/<slot>/<location>`. */
export interface ProbeCommandDocument {
  _id: string;
  monitor_id: string;
  location: string;
  /** The probe to run it; null if the control plane that created it knew none. */
  node_id: string | null;
  slot_ms: number;
  reason: string;
  /** The control plane that created it, which has already sent it to its own probes. */
  control_plane: string;
  created_at: Date;
}

/** A document of `agent_requests`: a request to an agent whose stream another control plane holds. */
export interface AgentRequestDocument {
  _id: string;
  server_id: string;
  /** The control plane that sends the request. The one that holds the stream answers it. */
  control_plane: string;
  created_at: Date;
  /** An encoded ProcessSample; null until the agent has responded. */
  answer: Binary | null;
}

/** The only document of `certificate_authorities`. */
export interface AuthorityDocument {
  _id: 'nodes';
  certificate: string;
  /** PKCS #8 in PEM, encrypted with the secret box. */
  sealed_key: string;
  created_at_ms: number;
}
