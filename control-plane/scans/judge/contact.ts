import { type Judged, passed, unknown } from './finding.js';
import type { Measured } from './measured.js';

/** Returns the finding on security.txt (RFC 9116). Pure. */
export function judgeContact({ outcome, hasContact, expiresMs }: Measured['securityText'], nowMs: number): Judged[] {
  if (outcome === 'unknown') return [unknown('security_txt', '“security.txt” could not be read.')];
  if (outcome === 'absent') {
    return [
      {
        code: 'security_txt_missing',
        severity: 'info',
        evidence: null,
        message: 'Who finds a vulnerability cannot see whom to tell.',
        next_step: 'Publish “/.well-known/security.txt” with a “Contact” and an “Expires” line.',
      },
    ];
  }
  if (hasContact && expiresMs > nowMs)
    return [passed('security_txt', '“security.txt” says whom to tell about a vulnerability.')];
  return [
    {
      code: 'security_txt_invalid',
      severity: 'info',
      evidence: hasContact ? 'no Expires line in the future' : 'no Contact line',
      message: '“security.txt” has expired or is not complete.',
      next_step: 'Give it a “Contact” line and an “Expires” line in the future.',
    },
  ];
}
