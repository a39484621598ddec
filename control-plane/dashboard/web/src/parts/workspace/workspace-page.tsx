import { useQuery } from '@tanstack/react-query';
import { mayManage, useAccount } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Said } from '../../components/said.tsx';
import { DeleteWorkspace } from './delete-workspace.tsx';
import { ExportMonitors } from './export-monitors.tsx';
import { ImportMonitors } from './import-monitors.tsx';
import { workspaceQuery } from './queries.ts';
import { RestoreWorkspace } from './restore-workspace.tsx';
import { texts } from './texts/texts.ts';
import { WorkspaceForm } from './workspace-form.tsx';

export function WorkspacePage() {
  const { data: workspace, error, refetch } = useQuery(workspaceQuery);
  const account = useAccount();
  if (workspace === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const isStopped = workspace.deleted_at !== null;
  const mayWrite = account.role !== 'viewer' && !isStopped;
  return (
    <>
      <PageHead
        title={workspace.name}
        tone={isStopped ? 'warning' : 'idle'}
        sentence={
          workspace.deleted_at === null ? (
            texts.state(workspace.plan, workspace.requires_second_factor)
          ) : (
            <Said words={(time) => texts.willBeDeleted(time(workspace.deleted_at ?? '', 'long'))} />
          )
        }
      />
      <div className="stack">
        {isStopped ? <RestoreWorkspace workspace={workspace} isOwner={account.role === 'owner'} /> : null}
        {mayManage(account) && !isStopped ? (
          <WorkspaceForm
            key={`${workspace.name} ${workspace.requires_second_factor}`}
            {...{ workspace, isOwner: account.role === 'owner' }}
          />
        ) : null}
        {isStopped ? null : <ExportMonitors mayWrite={mayWrite} />}
        {mayWrite ? <ImportMonitors /> : null}
        {account.role === 'owner' && !isStopped ? <DeleteWorkspace workspace={workspace} /> : null}
      </div>
    </>
  );
}
