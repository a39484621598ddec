import type { PlanName } from '../../plans/plans.js';

/** How many streams one control plane has open at most, so that one client cannot take all places. */
export interface StreamLimits {
  /** Browsers need one; the rest is for windows side by side and for programs. */
  ofCredentialMax: number;
  /** Of the sessions of a person and the keys that they created, in all workspaces. */
  ofPersonMax: number;
  /** Of a client address, which is an IPv4 address or an IPv6 /64. Whole offices share one. */
  ofAddressMax: number;
  ofWorkspaceMax: Record<PlanName, number>;
  allMax: number;
  /** Of all workspaces on Free, which anybody can make many of: they never take the places of those who pay. */
  ofFreeMax: number;
  /** The last places of all, and the last of those on Free: a workspace that has a stream already gets none of them. */
  reserved: number;
}

/** Who asks for a stream. */
export interface StreamOwner {
  workspaceId: string;
  plan: PlanName;
  /** Names the session or key. */
  credential: string;
  userId: string | null;
  /** The bucket of the address. */
  address: string;
}

/** How many streams are open already. */
export interface StreamCounts {
  ofCredential: number;
  ofPerson: number;
  ofAddress: number;
  ofWorkspace: number;
  ofFree: number;
  all: number;
}

/** A limit that one more stream would exceed, as a sentence for the client. */
export interface ExceededLimit {
  detail: string;
  /** Whose places are full: those that workspaces on Free share, or those of all. null: it is a limit of the client's own. */
  shared: 'Free' | 'all' | null;
}

/** Returns the limit that one more stream would exceed; null if there is room. Pure. */
export function exceededLimit(limits: StreamLimits, plan: PlanName, open: StreamCounts): ExceededLimit | null {
  const own = exceededOwn(limits, plan, open);
  if (own !== null) return { detail: own, shared: null };
  const { allMax, ofFreeMax, reserved } = limits;
  const places = { reserved, mayTakeReserved: open.ofWorkspace === 0 };
  const free = { ...places, taken: open.ofFree, max: ofFreeMax, whose: 'of all workspaces on the Free plan' };
  const ofFree = plan === 'Free' ? exceededPlaces(free) : null;
  if (ofFree !== null) return { detail: ofFree, shared: 'Free' };
  const ofAll = exceededPlaces({ ...places, taken: open.all, max: allMax, whose: 'of all workspaces' });
  return ofAll === null ? null : { detail: ofAll, shared: 'all' };
}

function exceededOwn(limits: StreamLimits, plan: PlanName, open: StreamCounts): string | null {
  const { ofCredentialMax, ofPersonMax, ofAddressMax } = limits;
  const ofWorkspaceMax = limits.ofWorkspaceMax[plan];
  if (open.ofCredential >= ofCredentialMax) return sentence(ofCredentialMax, 'of one session or API key');
  if (open.ofPerson >= ofPersonMax) return sentence(ofPersonMax, 'of one person');
  if (open.ofWorkspace >= ofWorkspaceMax) return sentence(ofWorkspaceMax, `of a workspace on the ${plan} plan`);
  return open.ofAddress >= ofAddressMax ? sentence(ofAddressMax, 'from one address') : null;
}

/**
 * Returns the stream that gives way to one of another holder: the oldest of whoever has most of them; null if the other has
 * about as many. `holders` are the streams by person, each the oldest first. Pure.
 */
export function streamToReplace<Stream>(
  holders: Iterable<readonly [string, readonly Stream[]]>,
  holder: string,
): Stream | null {
  let own = 0;
  let heaviest: readonly Stream[] = [];
  for (const [name, streams] of holders) {
    if (name === holder) own = streams.length;
    if (streams.length > heaviest.length) heaviest = streams;
  }
  // With one stream more for the other and one less for the heaviest, the other still has no more.
  return heaviest.length > own + 1 ? (heaviest[0] ?? null) : null;
}

interface SharedPlaces {
  taken: number;
  max: number;
  reserved: number;
  mayTakeReserved: boolean;
  whose: string;
}

function exceededPlaces({ taken, max, reserved, mayTakeReserved, whose }: SharedPlaces): string | null {
  if (taken >= max) return sentence(max, whose);
  if (taken < max - reserved || mayTakeReserved) return null;
  return `${sentence(max, whose)} The last ${reserved} are for workspaces without one.`;
}

function sentence(max: number, whose: string): string {
  return `At most ${max.toLocaleString('en-US')} event streams ${whose} can be open at this control plane.`;
}
