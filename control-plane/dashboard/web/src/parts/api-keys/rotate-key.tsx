import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPath } from '../../api/path.ts';
import type { ApiKey, CreatedApiKey, One } from '../../api/types.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { texts } from './texts/texts.ts';

const HOUR_S = 3_600;
/** How long the old key may go on working. The longest is the limit of the API. */
const OVERLAPS_S = [0, HOUR_S, 24 * HOUR_S, 7 * 24 * HOUR_S];
const OVERLAP_S_DEFAULT = 24 * HOUR_S;

interface RotateKeyProps {
  apiKey: ApiKey;
  made(key: CreatedApiKey): void;
}

/** Replaces a key by a new one; the old one goes on working while programs get the new one. */
export function RotateKey({ apiKey, made }: RotateKeyProps) {
  const [isOpen, setOpen] = useState(false);
  const [overlap, setOverlap] = useState(OVERLAP_S_DEFAULT);
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: async () => {
      const body = { overlap_seconds: overlap };
      return (await confirmedCall<One<CreatedApiKey>>('POST', apiPath`/v1/api-keys/${apiKey.id}/rotate`, body)).data;
    },
    onSuccess(key) {
      setOpen(false);
      made(key);
      void queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {texts.rotate}
        <span className="only-spoken"> {apiKey.name}</span>
      </Button>
      <Dialog title={texts.rotateTitle(apiKey.name)} isOpen={isOpen} close={() => setOpen(false)}>
        <p>{texts.rotateText}</p>
        <NativeSelect
          label={texts.overlap}
          value={String(overlap)}
          onChange={({ currentTarget }) => setOverlap(Number(currentTarget.value))}
          data={OVERLAPS_S.map((seconds) => ({ value: String(seconds), label: texts.overlaps(seconds) }))}
        />
        <ActionProblem error={rotate.error} />
        <div className="page-actions">
          <Button onClick={() => rotate.mutate()} loading={rotate.isPending}>
            {texts.rotate}
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            {texts.cancel}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
