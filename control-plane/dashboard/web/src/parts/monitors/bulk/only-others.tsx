import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { BulkRequest } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { without } from './form/order.ts';
import { previewOf } from './job/queries.ts';
import { texts } from './texts/texts.ts';

interface OnlyOthersProps {
  request: BulkRequest;
  /** How many can be changed. */
  count: number;
  change(request: BulkRequest): void;
}

/** Leaves out the monitors that cannot be changed like this, so that the change of the others is not in vain. */
export function OnlyOthers({ request, count, change }: OnlyOthersProps) {
  const leave = useMutation({
    mutationFn: async () => without(request, await refusedIds(request)),
    onSuccess: change,
  });
  return (
    <>
      <div>
        <Button variant="default" onClick={() => leave.mutate()} loading={leave.isPending}>
          {texts.preview.onlyOthers(count)}
        </Button>
      </div>
      <ActionProblem error={leave.error} />
    </>
  );
}

/** Resolves to the refused monitors: they are the first rows. */
async function refusedIds(request: BulkRequest): Promise<string[]> {
  const ids: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await previewOf(request, offset);
    const refused = page.rows.filter(({ result }) => result === 'refused');
    ids.push(...refused.flatMap(({ id }) => id ?? []));
    offset = refused.length < page.rows.length ? null : page.next_offset;
  }
  return ids;
}
