import t from 'tap';
import type { FindingSeverity } from '../../../control-plane/scans/judge/finding.js';
import { scoreOf } from '../../../control-plane/scans/judge/score.js';

const score = (...findings: [code: string, severity: FindingSeverity][]) =>
  scoreOf(findings.map(([code, severity]) => ({ code, severity })));

t.test('the score is what docs/security/scans.md promises', async (t) => {
  t.equal(score(), 100);
  t.equal(score(['a', 'critical']), 60);
  t.equal(score(['a', 'high']), 80);
  t.equal(score(['a', 'medium']), 92);
  t.equal(score(['a', 'low']), 97);
  t.equal(score(['a', 'info'], ['b', 'passed'], ['c', 'unknown']), 100);
  t.equal(score(['a', 'critical'], ['b', 'high'], ['c', 'medium'], ['d', 'low']), 29);
  t.equal(score(['a', 'critical'], ['b', 'critical'], ['c', 'critical']), 0, 'never less than 0');
  t.equal(score(['a', 'low'], ['a', 'medium'], ['a', 'low']), 92, 'findings of one code count once, by the worst');
});
