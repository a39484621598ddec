import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import type { AdminLocation, JoinToken, One, Probe } from '../../../api/types.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time/time.tsx';
import { cityName } from '../../../texts/default-names.ts';
import { probesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';

const words = texts.join;
/** How often the page looks for the new probe. */
const LOOKS_MS = 3_000;

interface JoinDialogProps {
  isOpen: boolean;
  close(): void;
  locations: readonly AdminLocation[];
  /** The probes that there are. */
  known: readonly Probe[];
}

/** Gives the line that installs and joins a probe, and says when it has joined. */
export function JoinDialog({ isOpen, close, ...rest }: JoinDialogProps) {
  return (
    <Dialog title={words.title} isOpen={isOpen} close={close}>
      <Join {...rest} close={close} />
    </Dialog>
  );
}

function Join({ locations, known, close }: Omit<JoinDialogProps, 'isOpen'>) {
  const [location, setLocation] = useState(locations[0]?.code ?? '');
  const [before] = useState(() => new Set(known.map(({ id }) => id)));
  const queries = useQueryClient();
  const create = useMutation({
    onSuccess: () => queries.invalidateQueries({ queryKey: ['join-tokens'] }),
    mutationFn: async () => (await call<One<JoinToken>>('POST', '/v1/admin/probes/join-tokens', { location })).data,
  });
  if (create.data !== undefined) return <Line token={create.data} before={before} close={close} />;
  return (
    <div className="stack">
      <p>{words.text}</p>
      <NativeSelect
        label={words.location}
        value={location}
        data={locations.map((one) => ({ value: one.code, label: `${cityName(one)} (${one.code})` }))}
        onChange={({ currentTarget }) => setLocation(currentTarget.value)}
      />
      <ActionProblem error={create.error} />
      <div className="page-actions">
        <Button loading={create.isPending} onClick={() => create.mutate()}>
          {words.create}
        </Button>
        <Button variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </div>
    </div>
  );
}

function Line({ token, before, close }: { token: JoinToken; before: ReadonlySet<string>; close(): void }) {
  const list = useInfiniteQuery({ ...probesQuery, refetchInterval: LOOKS_MS });
  const joined = list.data?.pages.flatMap(({ data }) => data).find(({ id, connected }) => connected && !before.has(id));
  return (
    <div className="stack">
      <p>{words.paste}</p>
      <CopyField label={words.line} value={token.install_command} />
      <p className="soft">
        {words.expires} <Time at={token.expires_at} />.
      </p>
      <p role="status">
        {joined === undefined ? (
          <span className="soft">{words.waiting}</span>
        ) : (
          <>
            <Mark as="up" word={words.joined} quiet={false} /> <bdi className="strong wrap">{joined.hostname}</bdi>
          </>
        )}
      </p>
      <div className="page-actions">
        <Button variant={joined === undefined ? 'default' : 'filled'} onClick={close}>
          {words.close}
        </Button>
      </div>
    </div>
  );
}
