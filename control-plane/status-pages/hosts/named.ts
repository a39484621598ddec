import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { type FieldError, invalidField, invalidFields } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { HostDocument } from '../documents.js';
import type { StatusPageNeeds } from '../needs.js';
import { readHostName } from './host-name.js';

/** Returns the host names of a page that gets these: those that it has keep their verification. Throws 422. */
export function hostsOf(
  given: readonly string[],
  known: readonly HostDocument[],
  { clock, publicUrl }: { clock: Clock; publicUrl: string },
): HostDocument[] {
  const errors: FieldError[] = [];
  const names: string[] = [];
  for (const [index, text] of given.entries()) {
    const path = `/host_names/${index}`;
    const read = readHostName(text, publicUrl);
    if ('problem' in read) errors.push({ path, message: read.problem, code: 'public_target' });
    else if (names.includes(read.name)) errors.push({ path, message: 'must not occur twice', code: 'duplicate' });
    else names.push(read.name);
  }
  if (errors.length > 0) throw invalidFields(errors);
  const nowMs = clock.now();
  return names.map(
    (name) =>
      known.find((host) => host.name === name) ?? {
        name,
        proof: null,
        verified_at_ms: null,
        checked_at_ms: null,
        missing_since_ms: null,
        added_at_ms: nowMs,
        next_at_ms: nowMs,
      },
  );
}

/** Throws 422 when another page of the workspace has one of the names: only one of the two could be shown. */
export async function refuseNamedTwice(
  { store }: Pick<StatusPageNeeds, 'store'>,
  tx: Transaction,
  actor: Actor,
  { pageId, hosts = [] }: { pageId: string; hosts?: readonly HostDocument[] | undefined },
): Promise<void> {
  const names = hosts.map(({ name }) => name);
  if (names.length === 0) return;
  const other = await store.findOtherWithHost(tx, actor.workspaceId, pageId, names);
  const taken = new Set(other?.hosts?.map(({ name }) => name));
  const index = names.findIndex((name) => taken.has(name));
  if (index >= 0) throw invalidField(`/host_names/${index}`, 'is a host name of another status page', 'exists');
}
