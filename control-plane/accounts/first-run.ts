import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { systemActor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Ids } from '../storage/ids.js';
import { isDuplicateKey, type RunTransaction } from '../storage/transaction.js';
import { apiKeyHash, makeApiKey, randomBase62 } from './api-key.js';
import type { ApiKeysStore } from './api-keys-store.js';
import { hashPassword } from './password.js';
import { type AccountsStore, membershipId } from './store.js';

/** `owner@localhost` would not pass as an address at a later log-in. */
const OWNER_EMAIL = 'owner@picket.localhost';
const WORKSPACE_NAME = 'My workspace';
const FIRST_KEY_NAME = 'First key';
const PASSWORD_CHARS = 24;
const TOKEN_CHARS = 16;
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** What the file holds. */
export interface FirstRunFile {
  dashboard_url: string;
  api_url: string;
  email: string;
  password: string;
  api_key: string;
}

export interface FirstRunParts {
  accounts: AccountsStore;
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
 * Fills an empty database: workspace, owner, full-access key, and the file that tells the operator of them.
 * Credentials that nobody ever saw cannot come to be: the file is on disk under a name of its own before the
 * transaction commits, the transaction names it, and only then is it moved to its place. A start that finds the
 * move missing makes up for it. Of control planes that start at once, the one that commits wins.
 */
export async function ensureFirstRun(parts: FirstRunParts): Promise<void> {
  const { accounts, file, logger } = parts;
  const done = await accounts.firstRun();
  if (done === null && (await accounts.isEmpty())) await fill(parts);
  const committed = done ?? (await accounts.firstRun());
  if (committed === null) return;
  if (await publish(file, committed.token)) logger.info({ file }, 'first run: the credentials are in this file');
}

async function fill(parts: FirstRunParts): Promise<void> {
  const { accounts, audit, keys, runTransaction, ids, clock, random, file } = parts;
  const token = randomBase62(random, TOKEN_CHARS);
  const [password, apiKey] = [randomBase62(random, PASSWORD_CHARS), makeApiKey(random)];
  const url = parts.publicUrl.replace(/\/+$/, '');
  await writeDurably(draftOf(file, token), {
    dashboard_url: `${url}/`,
    api_url: url,
    email: OWNER_EMAIL,
    password,
    api_key: apiKey,
  });
  const password_hash = await hashPassword(password);
  const created_at_ms = clock.now();
  const [workspaceId, userId, keyId] = [ids.next('ws'), ids.next('usr'), ids.next('key')];
  try {
    await runTransaction(async (tx) => {
      // First, so that a rival is noticed before anything else is written.
      await accounts.insertFirstRun(tx, { _id: 'first_run', token, at_ms: created_at_ms });
      await accounts.insertWorkspace(tx, { _id: workspaceId, name: WORKSPACE_NAME, plan: 'Enterprise', created_at_ms });
      await accounts.insertUser(tx, { _id: userId, email: OWNER_EMAIL, password_hash, operator: true, created_at_ms });
      await accounts.insertMembership(tx, {
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
    // Another control plane was first; what stands in our draft never came to be.
    if (!isDuplicateKey(error)) throw error;
    await rm(draftOf(file, token), { force: true });
  }
}

/** Moves the committed draft to its place, if it is here and was not moved yet, and removes what lost a race. */
async function publish(file: string, token: string): Promise<boolean> {
  const folder = dirname(file);
  const drafts = await readdir(folder).then(
    (names) => names.filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith(DRAFT_SUFFIX)),
    // No folder, no draft: the first run was another machine's.
    () => [],
  );
  const committed = basename(draftOf(file, token));
  let published = false;
  for (const draft of drafts) {
    if (draft === committed) {
      published = await rename(join(folder, draft), file).then(
        () => true,
        // Another process on the same folder has just moved it.
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
  const handle = await open(path, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(path));
}

/** A name is on disk only once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
