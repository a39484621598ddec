import type { NodeDocument } from '../documents.js';

/** Returns why a credential was revoked, for the log of the node. */
export function removalReason(kind: NodeDocument['kind']): string {
  return kind === 'probe' ? 'an operator has removed this probe' : 'the server was removed from its workspace';
}
