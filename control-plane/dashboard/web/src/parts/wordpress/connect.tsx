import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiUrl, call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { CreatedSite, One } from '../../api/types.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { exactTime } from '../../texts/format.ts';
import { codeKey, type KnownCode } from './queries.ts';
import { texts } from './texts/texts.ts';

/** The steps that connect the plugin. The page changes when it is. */
export function Connect({ id, isAgain }: { id: string; isAgain: boolean }) {
  const queries = useQueryClient();
  // Nothing reads it: it is there only if this browser has just created the code.
  const { data: known } = useQuery<KnownCode>({ queryKey: codeKey(id), enabled: false });
  const create = useMutation({
    mutationFn: async () =>
      (await call<One<CreatedSite>>('POST', apiPath`/api/v1/wp/admin/sites/${id}/activation-code`, {})).data,
    onSuccess({ activation_code, code_expires_at }) {
      const created: KnownCode = { code: activation_code, expiresAt: code_expires_at ?? '' };
      queries.setQueryData(codeKey(id), created);
    },
  });
  const words = texts.connect;
  return (
    <section className="panel">
      <h2>{isAgain ? words.again : words.title}</h2>
      <ol className="site-steps">
        <li>
          <a href={apiUrl('/install/picket-bridge.zip')} download>
            {words.download}
          </a>
        </li>
        <li>{words.install}</li>
        <li>
          {words.enter}
          <CopyField label={words.url} value={apiUrl('/').replace(/\/$/, '')} />
          {known === undefined ? (
            <p>{words.noCode}</p>
          ) : (
            <>
              <CopyField key={known.code} label={words.code} value={known.code} />
              <p className="soft">{words.valid(exactTime(known.expiresAt))}</p>
            </>
          )}
          <ActionProblem error={create.error} />
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            {known === undefined ? words.create : words.another}
          </Button>
        </li>
      </ol>
      <p role="status" className="soft">
        {words.waiting}
      </p>
    </section>
  );
}
