import { type Judged, passed } from './finding.js';
import type { MeasuredPage } from './measured.js';

const NAMED_MAX = 3;

/** Returns the findings on what an https page loads without encryption. Pure. */
export function judgeContent({ url, html, mixedActive, mixedPassive }: MeasuredPage): Judged[] {
  if (!html || !url.startsWith('https:')) return [];
  const findings: Judged[] = [
    ...found(mixedActive, {
      code: 'mixed_active_content',
      severity: 'medium',
      message: 'The page loads scripts, styles or frames, or sends forms, without encryption.',
      next_step: 'Use https addresses for these resources.',
    }),
    ...found(mixedPassive, {
      code: 'mixed_passive_content',
      severity: 'low',
      message: 'The page loads images or media without encryption.',
      next_step: 'Use https addresses for these resources.',
    }),
  ];
  return findings.length > 0 ? findings : [passed('mixed_content', 'The first page loads nothing without encryption.')];
}

function found(urls: readonly string[], finding: Omit<Judged, 'evidence'>): Judged[] {
  return urls.length === 0 ? [] : [{ ...finding, evidence: urls.slice(0, NAMED_MAX).join(', ') }];
}
