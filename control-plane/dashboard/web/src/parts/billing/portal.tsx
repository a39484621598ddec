import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { One, StripePage } from '../../api/types.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { openStripe } from './open-stripe.ts';
import { texts } from './texts/texts.ts';

/** Payment methods and invoices, on a page of Stripe. */
export function Portal() {
  const open = useMutation({
    mutationFn: async () => (await confirmedCall<One<StripePage>>('POST', '/v1/billing/portal')).data,
    onSuccess: ({ url }) => openStripe(url),
  });
  return (
    <>
      <Button variant="default" onClick={() => open.mutate()} loading={open.isPending}>
        {texts.portal}
      </Button>
      <ActionProblem error={open.error} />
    </>
  );
}
