import { hkdfSync } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import { systemClock } from '../kernel/clock.js';
import { createBlockedLog } from '../kernel/guard/blocked-log.js';
import { createTargetGuard, type TargetGuard } from '../kernel/guard/target-guard.js';
import type { Logger } from '../kernel/logger.js';
import { type Random, systemRandom } from '../kernel/random.js';
import { type ApiKeysStore, createApiKeysStore } from './accounts/api-keys/store.js';
import { createFirstRunStore, type FirstRunStore } from './accounts/first-run/store.js';
import { createJoin, type Join } from './accounts/join.js';
import { createMembershipsStore, type MembershipsStore } from './accounts/memberships-store.js';
import { createNewFreeWorkspace, type NewFreeWorkspace } from './accounts/new-free-workspace.js';
import { createOneTimeTokens, type OneTimeTokens } from './accounts/one-time-tokens/one-time-tokens.js';
import { createOneTimeTokensStore } from './accounts/one-time-tokens/store.js';
import { createOperators, type Operators } from './accounts/operators.js';
import { createPasswords, type Passwords } from './accounts/passwords/password.js';
import { createStandingStore, type StandingStore } from './accounts/standing/store.js';
import { createUsersStore, type UsersStore } from './accounts/users-store.js';
import { createWorkspacesStore, type WorkspacesStore } from './accounts/workspaces-store.js';
import type { AuditLog } from './audit/audit.js';
import { createAuditLog } from './audit/record.js';
import { type AuditStore, createAuditStore } from './audit/store.js';
import { measureOffset } from './clock-offset.js';
import type { Config } from './config.js';
import { createPager, type Pager } from './http/paging.js';
import { type CertificateAuthority, openAuthority } from './nodes/enrolment/open-authority.js';
import { createPlanCache, createStandingCache, type PlanOf, type StandingOf } from './plans/cache.js';
import { createDatabaseClock, type DatabaseClock } from './storage/clock/database-clock.js';
import { createDatabaseTime, type DatabaseTime } from './storage/clock/database-time.js';
import { type Cursors, createCursors } from './storage/cursor.js';
import { ENROLMENT_TRANSACTION, REQUEST_TRANSACTION, VERDICT_TRANSACTION } from './storage/deadlines.js';
import { createIds, type Ids } from './storage/ids.js';
import { createLeaseStore, type LeaseStore } from './storage/leases/lease-store.js';
import { type Mongo, openMongo } from './storage/mongo.js';
import { createSecretBox, type SecretBox } from './storage/secret-box.js';
import { readOrCreateSecretKey, verifySecretKey } from './storage/secret-key.js';
import { createRunTransaction, type RunTransaction } from './storage/transaction.js';
import { untilBuilt } from './storage/until-built.js';

const DERIVED_KEY_BYTES = 32;
const OWNER_BYTES = 8;

/** What every slice needs. The command line opens it alone. */
export interface Foundation {
  mongo: Mongo;
  db: Mongo['db'];
  databaseTime: DatabaseTime;
  /** The transactions of tasks, which nobody waits for. */
  runTransaction: RunTransaction;
  runRequestTransaction: RunTransaction;
  runEnrolmentTransaction: RunTransaction;
  /** Outages of monitors, the status of servers and alert rules. */
  runVerdictTransaction: RunTransaction;
  firstRuns: FirstRunStore;
  workspaces: WorkspacesStore;
  users: UsersStore;
  memberships: MembershipsStore;
  operators: Operators;
  join: Join;
  newFreeWorkspace: NewFreeWorkspace;
  passwords: Passwords;
  oneTimeTokens: OneTimeTokens;
  standings: StandingStore;
  /** Returns the plan by which the history of a workspace is kept, from a cache. */
  planOf: PlanOf;
  /** Returns the standing of a workspace from a cache. */
  standingOf: StandingOf;
  apiKeys: ApiKeysStore;
  auditStore: AuditStore;
  audit: AuditLog;
  authority: CertificateAuthority;
  leases: LeaseStore;
  cursors: Cursors;
  pager: Pager;
  secretBox: SecretBox;
  guard: TargetGuard;
  ids: Ids;
  /** Shows the time of the database where the clock of this machine is wrong, so that control planes agree. */
  clock: DatabaseClock;
  random: Random;
  logger: Logger;
  /** Names this process in leases. */
  owner: string;
}

/** What a foundation is built from: the connected database, and what is read from it and from the data directory. */
interface Opened {
  config: Config;
  mongo: Mongo;
  /** The secret of the installation, of which all others are derived. */
  key: Buffer;
  clock: DatabaseClock;
  databaseTime: DatabaseTime;
  authority: CertificateAuthority;
  random: Random;
  logger: Logger;
}

/** Opens the database and reads the installation's key. Throws SettingError when a setting is the cause of a failure. */
export async function openFoundation(config: Config, logger: Logger): Promise<Foundation> {
  const clock = createDatabaseClock(systemClock);
  const random = systemRandom;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const key = await readOrCreateSecretKey(config.dataDir, random);
  const mongo = await openMongo(config.mongodbUri);
  await verifySecretKey(mongo.db, key, random);
  const databaseTime = createDatabaseTime(mongo.db);
  clock.measured(await measureOffset(databaseTime, systemClock));
  const secretBox = createSecretBox(key, random);
  const authority = await openAuthority({ config, db: mongo.db, secretBox, clock, random, logger });
  const foundation = foundationOf({ config, mongo, key, clock, databaseTime, authority, random, logger });
  const { auditStore, workspaces, users, memberships, standings, apiKeys } = foundation;
  const stores = [auditStore, workspaces, users, memberships, standings, createOneTimeTokensStore(mongo.db), apiKeys];
  for (const store of stores) await untilBuilt(() => store.ensureIndexes());
  return foundation;
}

/** Returns the foundation on an opened database. Reads and writes nothing. */
export function foundationOf(opened: Opened): Foundation {
  const { config, mongo, key, clock, databaseTime, authority, random, logger } = opened;
  const ids = createIds(clock, random);
  const auditStore = createAuditStore(mongo.db);
  const workspaces = createWorkspacesStore(mongo.db);
  const standings = createStandingStore(mongo.db, clock);
  const [users, memberships] = [createUsersStore(mongo.db), createMembershipsStore(mongo.db)];
  const join = createJoin({ memberships, clock });
  // A cursor must work on every control plane, so its key is derived from the shared one.
  const cursorKey = Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'cursors', DERIVED_KEY_BYTES));
  const cursors = createCursors(cursorKey);
  const passwordKey = Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'password hashes', DERIVED_KEY_BYTES));
  return {
    mongo,
    db: mongo.db,
    databaseTime,
    runTransaction: createRunTransaction(mongo.client),
    runRequestTransaction: createRunTransaction(mongo.client, REQUEST_TRANSACTION),
    runEnrolmentTransaction: createRunTransaction(mongo.client, ENROLMENT_TRANSACTION),
    runVerdictTransaction: createRunTransaction(mongo.client, VERDICT_TRANSACTION),
    firstRuns: createFirstRunStore(mongo.db),
    workspaces,
    users,
    memberships,
    operators: createOperators({ workspaces, memberships }),
    join,
    newFreeWorkspace: createNewFreeWorkspace({ workspaces, join, ids, clock }),
    passwords: createPasswords({ argon2, cores: availableParallelism(), key: passwordKey }),
    oneTimeTokens: createOneTimeTokens({ store: createOneTimeTokensStore(mongo.db), clock, random }),
    standings,
    planOf: createPlanCache(standings.retention, clock),
    standingOf: createStandingCache(standings, clock),
    apiKeys: createApiKeysStore(mongo.db),
    auditStore,
    audit: createAuditLog({ store: auditStore, ids }),
    authority,
    leases: createLeaseStore(mongo.db),
    cursors,
    pager: createPager(cursors),
    secretBox: createSecretBox(key, random),
    guard: createTargetGuard({
      allowPrivate: config.allowPrivateTargets,
      denied: config.deniedTargets,
      log: createBlockedLog(logger, clock),
    }),
    ids,
    clock,
    random,
    logger,
    owner: random.bytes(OWNER_BYTES).toString('hex'),
  };
}
