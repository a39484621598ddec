import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiUrl, call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { apiPath } from '../../../api/path.ts';
import type { One, StatusPage } from '../../../api/types.ts';
import { LogoField } from '../../../components/logo-field/logo-field.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { hostsQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';

/** The logo of a page, which is stored at once, whatever the form beside it has. */
export function LogoPanel({ page: loaded }: { page: StatusPage }) {
  const page = useQuery(hostsQuery(loaded.id)).data ?? loaded;
  // What was chosen is of the logo that was there.
  return <LogoForm key={page.logo_url} page={page} />;
}

function LogoForm({ page }: { page: StatusPage }) {
  const { id } = page;
  const queries = useQueryClient();
  const [logo, setLogo] = useState<string | null>(null);
  const [isRemoved, setRemoved] = useState(false);
  const words = texts.logo;
  const save = useMutation({
    mutationFn: async () => (await call<One<StatusPage>>('PATCH', apiPath`/v1/status-pages/${id}`, { logo })).data,
    onSuccess(changed) {
      toast({ text: changed.logo_url === null ? words.removed : words.saved, undo: null });
      queries.setQueryData(hostsQuery(id).queryKey, changed);
      queries.setQueryData(['status-page', id], changed);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const error = fieldErrors(save.error)['logo'];
  const isNew = logo !== null || isRemoved;
  const stored = page.logo_url === null ? null : { url: shownUrl(page), isRemoved, remove: setRemoved };
  return (
    <section className="panel form-panel" aria-labelledby="page-logo">
      <h2 id="page-logo">{words.title}</h2>
      <form onSubmit={submit} className="stack" noValidate>
        <LogoField {...{ help: words.help, error, logo, stored }} choose={setLogo} />
        {error === undefined ? <ActionProblem error={save.error} /> : null}
        {isNew ? (
          <div className="page-actions">
            <Button type="submit" variant="default" loading={save.isPending}>
              {words.save}
            </Button>
          </div>
        ) : null}
      </form>
    </section>
  );
}

/** The picture as visitors get it; null behind a password, which the person may not have entered. */
function shownUrl({ slug, visibility, logo_url: url }: StatusPage): string | null {
  if (url === null || visibility === 'password') return null;
  return apiUrl(`${apiPath`/status/${slug}/logo`}${new URL(url).search}`);
}
