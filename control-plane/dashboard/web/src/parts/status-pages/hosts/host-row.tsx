import type { StatusPage } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ExternalLink } from '../../../components/external-link.tsx';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { Said } from '../../../components/said.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { useHostNames } from './use-host-names.ts';

type Host = StatusPage['hosts'][number];

interface HostRowProps {
  page: StatusPage;
  host: Host;
  isMain: boolean;
}

/** A host name: whether it is verified, why not, and which records it needs. */
export function HostRow({ page, host, isMain }: HostRowProps) {
  const words = texts.hosts;
  const isVerified = host.verified_at !== null;
  return (
    <li className="status-host">
      <div className="status-row">
        <div className="row-main">
          <p className="strong wrap">
            {isVerified ? (
              <ExternalLink url={host.url}>
                <bdi>{host.name}</bdi>
              </ExternalLink>
            ) : (
              <bdi>{host.name}</bdi>
            )}
          </p>
          <p className="row-detail wrap">
            <Mark
              as={isVerified ? 'up' : 'warning'}
              word={isVerified ? words.verified : words.notVerified}
              quiet={false}
            />
            {isMain ? ` · ${words.main}` : ''}
          </p>
          <p className="row-detail wrap">
            <Why host={host} />
          </p>
        </div>
        <RemoveHost page={page} name={host.name} />
      </div>
      <details open={!isVerified}>
        <summary>{words.instructions}</summary>
        <Records host={host} />
      </details>
    </li>
  );
}

function Why({ host: { verified_at: verified, verified_by: by, checked_at: checked } }: { host: Host }) {
  const words = texts.hosts;
  if (verified !== null && by !== null) {
    return (
      <>
        {words.by[by]} <Said words={(time) => words.since(time(verified))} /> {words.keep}
      </>
    );
  }
  return checked === null ? words.waiting : <Said words={(time) => words.missing(time(checked, 'at'))} />;
}

function Records({ host: { name, record, cname } }: { host: Host }) {
  const words = texts.hosts;
  return (
    <div className="stack status-records">
      <p>{words.prove}</p>
      <CopyField label={words.recordName(name)} value={record.name} />
      <CopyField label={words.recordValue(name)} value={record.value} />
      {cname === null ? (
        <p>{words.leadByAddress}</p>
      ) : (
        <>
          <p>{words.lead}</p>
          <CopyField label={words.cname(name)} value={cname} />
          <p className="row-detail">{words.cnameAlone}</p>
        </>
      )}
      <p>{words.certificate}</p>
    </div>
  );
}

function RemoveHost({ page, name }: { page: StatusPage; name: string }) {
  const words = texts.hosts;
  const replace = useHostNames(page, () => toast({ text: words.removed(name), undo: null }));
  const remove = { ...replace, mutate: () => replace.mutate(page.host_names.filter((other) => other !== name)) };
  return (
    <ConfirmButton label={words.remove} title={words.removeTitle(name)} action={remove}>
      <p>{words.removeHelp}</p>
    </ConfirmButton>
  );
}
