import type { ReactNode } from 'react';
import { useAccount } from '../../app/account.ts';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { texts } from './texts/texts.ts';

/** The page for operators. Everybody else learns that it is not theirs. */
export function OnlyOperators({ children }: { children: ReactNode }) {
  return useAccount().operator ? children : <NotAllowed title={texts.only.title} text={texts.only.text} />;
}
