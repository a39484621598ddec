import type { MemberAccess } from './accounts/member-access.js';
import type { Scope } from './actor.js';
import type { AlertRuleType } from './alert-rules/rule-type.js';
import type { AuditAction } from './audit/audit.js';
import type { Authenticator } from './http/authenticate.js';
import type { Mount } from './http/mount.js';
import type { Route } from './http/route.js';
import type { IncidentKind } from './incidents/kind.js';
import type { Quota } from './plans/quotas.js';
import type { ReferenceHolder } from './references/references.js';

/** Work that a slice does in the background, from the start of the control plane to its end. */
export interface Job {
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** Work that waits in the database until a control plane does it, for the health of the installation. */
export interface Backlog {
  /** Its name in the API. */
  name: string;
  /** The oldest one waits longer than this only if something is wrong. */
  lateMs: number;
  /** Counts at most `countMax`. `oldestMs` is since when the oldest one waits, null without one. */
  read(countMax: number): Promise<{ waiting: number; oldestMs: number | null }>;
}

/** What a slice adds to lists that other slices read. Known before any slice is opened. */
export interface Declarations {
  /** What an API key can be limited to. */
  scopes?: readonly Scope[];
  /** Actions that filters of the audit log accept, such as `monitor.created`; the slice writes them. */
  auditActions?: readonly AuditAction[];
  /** The part of its ids before the `_`: `mon`. No two slices have the same. */
  idPrefixes?: readonly string[];
  incidentKinds?: readonly IncidentKind[];
  ruleTypes?: readonly AlertRuleType[];
}

/** What an opened slice gives to the control plane. Beside it, each slice returns what other slices use of it. */
export interface OpenedSlice {
  routes?: readonly Route[];
  mounts?: readonly Mount[];
  authenticators?: readonly Authenticator[];
  /** Asked before `authenticators` of all slices. */
  firstAuthenticators?: readonly Authenticator[];
  /** What the slice has of the things that plans limit. */
  quotas?: readonly Quota[];
  backlogs?: readonly Backlog[];
  /** What the slice stores that names things of slices by their ids. Their deletion finds it. */
  referenceHolders?: readonly ReferenceHolder[];
  /** What the slice stores that gives access and ends with a member or their rights. */
  memberAccess?: readonly MemberAccess[];
  /** Started in the order of the slices and stopped in the reverse order. */
  jobs?: readonly Job[];
  /** Creates the slice's indexes; called once, after all slices are opened and before `ready`. */
  ensureIndexes?(): Promise<void>;
  /** Resolves when the slice can serve requests and nodes; called before the ports open. */
  ready?(): Promise<void>;
}

/**
 * One part of the product. `open` builds it from what it needs of other slices and starts nothing. A slice's folder
 * exports it from `open.ts`; `control-plane/product.ts` and `control-plane/product/` list all of them.
 */
export interface Slice<Name extends string, Needs, Opened extends OpenedSlice> extends Declarations {
  name: Name;
  open(needs: Needs): Opened | Promise<Opened>;
}
