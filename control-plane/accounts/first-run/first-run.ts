import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import { syncFolder, writeSyncedFile } from '../../../kernel/synced-file.js';
import { systemActor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Ids } from '../../storage/ids.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import { apiKeyHash, makeApiKey, randomBase62 } from '../api-keys/api-key.js';
import type { ApiKeysStore } from '../api-keys/store.js';
import { type MembershipsStore, membershipId } from '../memberships-store.js';
import type { Passwords } from '../passwords/password.js';
import type { UsersStore } from '../users-store.js';
import type { WorkspacesStore } from '../workspaces-store.js';
import type { FirstRunDocument, FirstRunStore } from './store.js';

/** A log-in form does not accept `owner@localhost` as an e-mail address. */
const OWNER_EMAIL = 'owner@picket.localhost';
const WORKSPACE_NAME = 'My workspace';
const FIRST_KEY_NAME = 'First key';
const PASSWORD_CHARS = 24;
const TOKEN_CHARS = 16;
const OWNER_ONLY_FOLDER = 0o700;
const NO_OPERATORS =
  'no workspace operates this installation, so nobody can use /v1/admin; to choose one, run in the database: db.workspaces.updateOne({ _id: "<id of the workspace>" }, { $set: { operates_installation: true } })';

/** The content of the file. */
export interface FirstRunFile {
  dashboard_url: string;
  api_url: string;
  email: string;
  password: string;
  api_key: string;
}

export interface FirstRunNeeds {
  firstRuns: FirstRunStore;
  workspaces: WorkspacesStore;
  users: UsersStore;
  memberships: MembershipsStore;
  passwords: Pick<Passwords, 'hash'>;
  audit: AuditLog;
  keys: ApiKeysStore;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  publicUrl: string;
  /** `PICKET_FIRST_RUN`, or `first-run.json` in the data directory. */
  file: string;
}

/**
 * Fills an empty database with a workspace, its owner and a key with full access, and writes their credentials to a
 * file for the operator. The file is written under a temporary name before the transaction commits, the transaction
 * stores that name, and then the file is renamed. So committed credentials are always on disk. A later start repeats a
 * rename that a crash prevented. If several control planes start at once, the first commit wins.
 */
export async function ensureFirstRun(needs: FirstRunNeeds): Promise<void> {
  const { firstRuns, workspaces, file, logger } = needs;
  const done = await firstRuns.find();
  if (done === null && (await workspaces.isEmpty())) await fill(needs);
  const committed = done ?? (await firstRuns.find());
  await ensureOperators(needs, committed);
  if (committed === null) return;
  if (await publish(file, committed.token))
    logger.info({ file }, 'first run: the credentials of the owner are in this file');
}

/**
 * Has the workspace of the first run operate the installation in a database of a version in which the first person did,
 * wherever they worked. The marks of persons stay until the workspace has its own. Control planes that start at once write
 * the same.
 */
async function ensureOperators(needs: FirstRunNeeds, firstRun: FirstRunDocument | null): Promise<void> {
  const { workspaces, users, runTransaction, logger } = needs;
  if ((await workspaces.operators()) !== null) return;
  const isSet =
    firstRun !== null &&
    (await runTransaction(async (tx) => {
      if (!(await workspaces.setOperators(tx, firstRun.at_ms))) return false;
      await users.removeOperatorMarks(tx);
      return true;
    }));
  if (!isSet && !(await workspaces.isEmpty())) logger.error(NO_OPERATORS);
}

async function fill(needs: FirstRunNeeds): Promise<void> {
  const { firstRuns, workspaces, users, memberships, audit, keys, runTransaction, ids, clock, random, file } = needs;
  const token = randomBase62(random, TOKEN_CHARS);
  const [password, apiKey] = [randomBase62(random, PASSWORD_CHARS), makeApiKey(random)];
  const url = needs.publicUrl.replace(/\/+$/, '');
  await writeDurably(draftOf(file, token), {
    dashboard_url: `${url}/`,
    api_url: url,
    email: OWNER_EMAIL,
    password,
    api_key: apiKey,
  });
  const password_hash = await needs.passwords.hash(password);
  const created_at_ms = clock.now();
  const [workspaceId, userId, keyId] = [ids.next('ws'), ids.next('usr'), ids.next('key')];
  try {
    await runTransaction(async (tx) => {
      // Inserted first, so that a concurrent first run fails here, before it writes anything else.
      await firstRuns.insert(tx, { _id: 'first_run', token, at_ms: created_at_ms });
      await workspaces.insert(tx, {
        _id: workspaceId,
        name: WORKSPACE_NAME,
        plan: 'Enterprise',
        created_at_ms,
        operates_installation: true,
      });
      await users.insert(tx, {
        _id: userId,
        email: OWNER_EMAIL,
        password_hash,
        created_at_ms,
      });
      await memberships.insert(tx, {
        _id: membershipId(workspaceId, userId),
        workspace_id: workspaceId,
        user_id: userId,
        role: 'owner',
        created_at_ms,
      });
      await keys.insert(tx, {
        _id: keyId,
        workspace_id: workspaceId,
        user_id: userId,
        name: FIRST_KEY_NAME,
        hash: apiKeyHash(apiKey),
        last_four: apiKey.slice(-4),
        scopes: ['*'],
        created_at_ms,
        last_used_at_ms: null,
        expires_at_ms: null,
        revoked_at_ms: null,
      });
      const workspace = { id: workspaceId, name: WORKSPACE_NAME, plan: 'Enterprise' as const };
      await audit.record(tx, systemActor(workspace, workspaceId), {
        action: 'api_key.created',
        resource: { type: 'api_key', id: keyId, name: FIRST_KEY_NAME },
        metadata: { scopes: ['*'], expires_at: null, last_four: apiKey.slice(-4) },
      });
    });
  } catch (error) {
    // Another control plane has committed first, so the credentials in this draft do not exist.
    if (!isDuplicateKey(error)) throw error;
    await rm(draftOf(file, token), { force: true });
  }
}

/**
 * Renames the committed draft if it is still on this machine, and removes other drafts. Resolves to whether it renamed
 * one.
 */
async function publish(file: string, token: string): Promise<boolean> {
  const folder = dirname(file);
  const drafts = await readdir(folder).then(
    (names) => names.filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith(DRAFT_SUFFIX)),
    // Without the folder there is no draft: another machine did the first run.
    () => [],
  );
  const committed = basename(draftOf(file, token));
  let published = false;
  for (const draft of drafts) {
    if (draft === committed) {
      published = await rename(join(folder, draft), file).then(
        () => true,
        // Another process has just renamed it.
        () => false,
      );
    } else {
      await rm(join(folder, draft), { force: true });
    }
  }
  if (published) await syncFolder(folder);
  return published;
}

const DRAFT_SUFFIX = '.draft';

function draftOf(file: string, token: string): string {
  return `${file}.${token}${DRAFT_SUFFIX}`;
}

async function writeDurably(path: string, content: FirstRunFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  await writeSyncedFile(path, `${JSON.stringify(content, null, 2)}\n`);
  await syncFolder(dirname(path));
}
