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

/** Returns the limit that one more stream would exceed, as a sentence for the client; null if there is room. Pure. */
export function exceededLimit(limits: StreamLimits, plan: PlanName, open: StreamCounts): string | null {
  const { ofCredentialMax, ofPersonMax, ofAddressMax, allMax, ofFreeMax, reserved } = limits;
  const ofWorkspaceMax = limits.ofWorkspaceMax[plan];
  if (open.ofCredential >= ofCredentialMax) return sentence(ofCredentialMax, 'of one session or API key');
  if (open.ofPerson >= ofPersonMax) return sentence(ofPersonMax, 'of one person');
  if (open.ofWorkspace >= ofWorkspaceMax) return sentence(ofWorkspaceMax, `of a workspace on the ${plan} plan`);
  if (open.ofAddress >= ofAddressMax) return sentence(ofAddressMax, 'from one address');
  const places = { reserved, mayTakeReserved: open.ofWorkspace === 0 };
  const ofFree = { ...places, taken: open.ofFree, max: ofFreeMax, whose: 'of all workspaces on the Free plan' };
  const ofAll = { ...places, taken: open.all, max: allMax, whose: 'of all workspaces' };
  return (plan === 'Free' ? exceededPlaces(ofFree) : null) ?? exceededPlaces(ofAll);
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
