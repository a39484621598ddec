import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { loadAgain } from '../../api/loaded-for.ts';
import { apiPath } from '../../api/path.ts';
import { ownWorkspacesQuery } from '../../api/queries.ts';
import { texts } from '../../texts/app/texts.ts';
import { ActionProblem } from '../problem-note.tsx';
import '../form/form-panel.css';

/**
 * The other workspaces of the person, one of which can have what the address names: they have switched since they saw it, or
 * follow a link. Opens this address in the one that they choose. The API does not say which one it is.
 */
export function OtherWorkspaces() {
  const others = useQuery(ownWorkspacesQuery).data?.filter(({ current }) => !current) ?? [];
  const open = useMutation({
    mutationFn: (id: string) => call('POST', apiPath`/v1/auth/workspaces/${id}/switch`),
    onSuccess: loadAgain,
  });
  if (others.length === 0) return null;
  return (
    <fieldset className="form-choices">
      <legend>{texts.notFound.elsewhere}</legend>
      <div className="page-actions">
        {others.map(({ id, name }) => (
          <button
            key={id}
            {...{ type: 'button', className: 'link', disabled: open.isPending }}
            onClick={() => open.mutate(id)}
          >
            <bdi className="wrap">{name}</bdi>
          </button>
        ))}
      </div>
      <ActionProblem error={open.error} />
    </fieldset>
  );
}
