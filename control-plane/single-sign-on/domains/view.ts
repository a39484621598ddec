import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { DomainDocument } from '../documents.js';
import type { Domain } from '../schema.js';
import { verificationName, verificationValue } from './domain-name.js';

export function domainView(document: DomainDocument): Domain {
  return {
    domain: document.domain,
    verified: document.verified_at_ms !== null,
    verified_at: isoOrNull(document.verified_at_ms),
    checked_at: isoOrNull(document.checked_at_ms),
    record: { type: 'TXT', name: verificationName(document.domain), value: verificationValue(document.token) },
    created_at: toIso(document.created_at_ms),
  };
}
