import type { Document } from 'mongodb';

/** A member of the replica set, as the primary sees it. */
export interface DatabaseMember {
  host: string;
  /** `PRIMARY`, `SECONDARY`, `(not reachable/healthy)` and others of MongoDB. */
  state: string;
  isReachable: boolean;
  /** How far it is behind the primary; null for the primary, and where it is not known. */
  lagMs: number | null;
}

/**
 * Returns the members in an answer of `replSetGetStatus`. Pure.
 * https://www.mongodb.com/docs/manual/reference/command/replSetGetStatus/
 */
export function membersIn({ members }: Document): DatabaseMember[] {
  const rows: readonly Document[] = Array.isArray(members) ? members : [];
  const primary = rows.find(({ stateStr }) => stateStr === 'PRIMARY');
  const primaryMs = primary?.['optimeDate'] instanceof Date ? primary['optimeDate'].getTime() : null;
  return rows.map((row) => {
    const { name, stateStr, health, optimeDate } = row;
    const isData = optimeDate instanceof Date && row !== primary && health === 1 && stateStr !== 'ARBITER';
    return {
      host: String(name),
      state: String(stateStr),
      isReachable: health === 1,
      lagMs: isData && primaryMs !== null ? Math.max(0, primaryMs - optimeDate.getTime()) : null,
    };
  });
}
