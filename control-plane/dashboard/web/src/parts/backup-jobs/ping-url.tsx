import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { BackupJob, BackupJobWithUrl, One } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyField } from '../../components/form/copy-field.tsx';
import { pingCommands } from './commands.ts';
import { urlKey } from './queries.ts';
import { texts } from './texts/texts.ts';

const COMMANDS = ['start', 'success', 'failure', 'exitCode', 'size'] as const;

/** The ping URL with the commands that use it if this browser has just created it, otherwise only its end. */
export function PingUrl({ job, mayWrite }: { job: BackupJob; mayWrite: boolean }) {
  // Nothing reads it: it is there only if this browser has just got it.
  const { data: url } = useQuery<string>({ queryKey: urlKey(job.id), enabled: false });
  const words = texts.ping;
  const end = job.ping_url_end;
  return (
    <section className="panel backup-ping" aria-labelledby="ping-url">
      <h2 id="ping-url">{words.title}</h2>
      {url === undefined ? (
        <p className="wrap">{mayWrite ? words.hidden(end) : words.hiddenFromViewers(end)}</p>
      ) : (
        <NewUrl key={url} url={url} />
      )}
      {mayWrite ? <RenewUrl key={url ?? end} job={job} /> : null}
    </section>
  );
}

function NewUrl({ url }: { url: string }) {
  const words = texts.ping;
  const commands = pingCommands(url);
  return (
    <>
      <div className="note" role="status">
        {words.once}
      </div>
      <CopyField label={words.url} value={url} />
      <p>{words.commands}</p>
      {COMMANDS.map((name) => (
        <div key={name} className="backup-command">
          <span className="soft">{words[name]}</span>
          <CopyField label={words[name]} value={commands[name]} />
        </div>
      ))}
    </>
  );
}

function RenewUrl({ job: { id, name } }: { job: BackupJob }) {
  const queries = useQueryClient();
  const renew = useMutation({
    mutationFn: async () =>
      (await call<One<BackupJobWithUrl>>('POST', apiPath`/v1/backup-jobs/${id}/ping-url`, {})).data,
    onSuccess({ ping_url, ...job }) {
      queries.setQueryData(['backup-job', id], job);
      queries.setQueryData(urlKey(id), ping_url);
    },
  });
  return (
    <div className="page-actions">
      <ConfirmButton label={texts.ping.renew} title={texts.ping.renewTitle(name)} action={renew}>
        <p>{texts.ping.renewText}</p>
      </ConfirmButton>
    </div>
  );
}
