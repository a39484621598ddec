import type { BlacklistMonitor, BlacklistResult } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from './texts/texts.ts';

const TARGETS = { listed: 'down', clean: 'up', unknown: 'unknown' } as const;

/** The state of an address or domain. */
export function TargetMark({ status, quiet }: { status: BlacklistMonitor['status']; quiet: boolean }) {
  return <Mark as={TARGETS[status]} word={texts.status[status]} quiet={quiet} />;
}

/** What a list answered. What says nothing about the target is neither good nor bad. */
export function AnswerMark({ status, policy }: Pick<BlacklistResult, 'status' | 'policy'>) {
  const words = texts.answers.status;
  if (status === 'listed')
    return <Mark as={policy ? 'info' : 'down'} word={policy ? words.policy : words.listed} quiet={false} />;
  return <Mark as={status === 'clean' ? 'up' : 'unknown'} word={words[status]} quiet={false} />;
}
