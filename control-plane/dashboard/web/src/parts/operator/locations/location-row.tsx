import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, isNotFound } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { AdminLocation } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { readVersioned } from '../../../components/editing/use-editable.ts';
import { editOf, forgetEdit, useForgotten } from '../../../components/form/use-draft.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { toast } from '../../../components/toasts.tsx';
import { cityName } from '../../../texts/default-names.ts';
import { texts } from '../texts/texts.ts';
import { EditLocation } from './edit-location.tsx';

const words = texts.locations;

/** A location, which opens into its form. */
export function LocationRow({ location }: { location: AdminLocation }) {
  const [isEditing, setEditing] = useState(false);
  const city = cityName(location);
  const { code, region, connected_probes: probes, quarantined, canary_targets: canaries } = location;
  const path = apiPath`/v1/admin/locations/${code}`;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      forgetEdit(queries, path);
      toast({ text: words.deleted(city), undo: null });
      await queries.invalidateQueries({ queryKey: ['locations'] });
    },
  });
  if (isEditing) return <Edit {...{ code, path }} close={() => setEditing(false)} />;
  const state = quarantined ? 'warning' : probes === 0 ? 'no_probe' : 'up';
  const word = quarantined ? words.quarantined : words.probes(probes);
  return (
    <>
      <div className="row-main">
        <p className="operator-name">
          <bdi className="strong two-lines">{city}</bdi>
          <span className="mono">{code}</span>
          <Mark as={state} word={word} quiet={false} />
        </p>
        <p className="row-detail">
          <bdi className="wrap">{region}</bdi> · {words.canaries(canaries.length)}
        </p>
      </div>
      <div className="page-actions">
        <Button variant="default" onClick={() => setEditing(true)}>
          {words.edit}
        </Button>
        <ConfirmButton label={words.delete} title={words.deleteTitle(city)} action={remove}>
          {words.deleteText}
        </ConfirmButton>
      </div>
    </>
  );
}

/** The form begins with the newest version, so that a conflict is noticed. */
function Edit({ code, path, close }: { code: string; path: string; close(): void }) {
  const { data, error } = useQuery({
    queryKey: ['location', code, 'edit'],
    queryFn: ({ signal }) => readVersioned<AdminLocation>(path, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useForgotten(isNotFound(error) ? editOf(path) : null);
  if (error !== null) return <ProblemNote error={error} />;
  return data === undefined ? null : <EditLocation path={path} loaded={data} close={close} />;
}
