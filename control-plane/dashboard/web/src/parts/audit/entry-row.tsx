import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { pageOf } from '../../api/page-of.ts';
import type { AuditEntry } from '../../api/types.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { LinkTime } from '../../components/time.tsx';
import { exactTime } from '../../texts/format.ts';
import { actionText } from './actions.ts';
import { detailsOf, shownValue } from './details.ts';
import { Differences } from './differences.tsx';
import type { AuditFilter } from './filter.ts';
import { texts } from './texts/texts.ts';

interface EntryRowProps {
  entry: AuditEntry;
  /** Shows only entries that have this in common with the entry. */
  narrow(filter: AuditFilter): void;
}

/** One entry: who did what, when and from where. It opens with everything that is recorded. */
export function EntryRow({ entry, narrow }: EntryRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { actor, resource, severity } = entry;
  const fields = detailsOf(entry)
    .differences.map(({ field }) => field)
    .join(', ');
  return (
    <details className="audit-entry" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="audit-when">
          <LinkTime at={entry.timestamp} />
        </span>
        <span className="audit-what">
          {severity === 'info' ? null : <StatusMark state={severity} quiet />}
          <span className="two-lines">
            <span className="strong">{actionText(entry.action, texts.words)}</span>{' '}
            {resource.name === actor.email ? null : <bdi>{resource.name}</bdi>}
            {fields === '' ? null : <span className="soft">: {fields}</span>}
          </span>
        </span>
        <span className="audit-who">
          <bdi className="cut">{whoOf(entry)}</bdi>
          <span className="cut soft">{actor.ip ?? texts.noAddress}</span>
        </span>
      </summary>
      {isOpen ? <Details entry={entry} narrow={narrow} /> : null}
    </details>
  );
}

function whoOf(entry: AuditEntry): string {
  const { id, email, api_key: key } = entry.actor;
  if (key !== undefined) return texts.byKey(key.name, email);
  const { linkOf } = detailsOf(entry);
  if (linkOf !== null) return texts.byLink(linkOf);
  return id === null && email === 'system' ? texts.system : email;
}

function Details({ entry, narrow }: EntryRowProps) {
  const { differences, facts, userAgent } = detailsOf(entry);
  const { actor, resource, action } = entry;
  const page = action.endsWith('.deleted') ? null : pageOf(resource);
  const shown: [string, ReactNode][] = [
    [texts.facts.time, exactTime(entry.timestamp).replace('\n', ' · ')],
    [texts.facts.actor, <bdi key="actor">{whoOf(entry)}</bdi>],
    [texts.facts.resource, <Resource key="resource" entry={entry} />],
    ...facts.map(([name, value]): [string, ReactNode] => [
      name,
      <bdi key={name}>{shownValue(value, texts) ?? '–'}</bdi>,
    ]),
    [texts.facts.address, actor.ip ?? texts.noAddress],
    ...(userAgent === null ? [] : [[texts.facts.userAgent, userAgent] as [string, ReactNode]]),
    [texts.facts.request, <Code key="request" text={entry.request_id} />],
    [texts.facts.action, <Code key="action" text={action} />],
    [texts.facts.entry, <Code key="entry" text={entry.id} />],
    [texts.facts.hash, entry.hash === null ? texts.notSealed : <Code key="hash" text={entry.hash} />],
  ];
  return (
    <div className="audit-details stack">
      {differences.length === 0 ? null : <Differences differences={differences} />}
      <dl className="facts">
        {shown.map(([label, value]) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="page-actions audit-narrow">
        {page === null ? null : <Link to={page}>{texts.open}</Link>}
        <button type="button" className="link" onClick={() => narrow({ actor: actor.id ?? actor.email })}>
          {texts.onlyActor}
        </button>
        <button type="button" className="link" onClick={() => narrow({ action })}>
          {texts.onlyAction}
        </button>
      </div>
    </div>
  );
}

function Resource({ entry: { resource } }: { entry: AuditEntry }) {
  return (
    <>
      <bdi>{resource.name}</bdi> <Code text={resource.id} />
    </>
  );
}

function Code({ text }: { text: string }) {
  return <span className="mono wrap">{text}</span>;
}
