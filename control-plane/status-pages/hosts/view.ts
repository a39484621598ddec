import { isoOrNull } from '../../../kernel/clock.js';
import type { HostDocument } from '../documents.js';
import type { StatusPageNeeds } from '../needs.js';
import { aliasTarget, challengeName, challengeValue, hostUrl } from './host-name.js';

/** Returns a host name of a page as the API shows it. */
export function hostView(
  { name, proof, verified_at_ms, checked_at_ms }: HostDocument,
  pageId: string,
  { publicUrl, box }: Pick<StatusPageNeeds, 'publicUrl' | 'box'>,
) {
  return {
    name,
    url: hostUrl(name, publicUrl),
    verified_at: isoOrNull(verified_at_ms),
    verified_by: proof,
    checked_at: isoOrNull(checked_at_ms),
    record: { type: 'TXT' as const, name: challengeName(name), value: challengeValue(box, pageId, name) },
    cname: aliasTarget(publicUrl),
  };
}
