import type { ReactNode } from 'react';
import { useAccount } from '../../app/account.ts';
import { NotFoundPage } from '../../app/not-found.tsx';

/** The page for operators. Everybody else sees what any unknown address shows, like in the API. */
export function OnlyOperators({ children }: { children: ReactNode }) {
  return useAccount().operator ? children : <NotFoundPage />;
}
