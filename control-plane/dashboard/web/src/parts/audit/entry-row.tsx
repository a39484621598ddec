import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { pageOf } from '../../api/page-of.ts';
import type { AuditEntry } from '../../api/types.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { LinkTime } from '../../components/time/time.tsx';
import { deviceText } from '../../texts/device.ts';
import { fieldName } from '../../texts/fields/names.ts';
import { exactTime } from '../../texts/format.ts';
import { actionText } from './actions.ts';
import { bulkText, detailName, detailsOf, wordOf } from './details.ts';
import { Differences } from './differences.tsx';
import type { AuditFilter } from './filter.ts';
import { texts } from './texts/texts.ts';
import { Value } from './value.tsx';

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
    .differences.map(({ field }) => (field === '' ? '' : detailName(field, texts.details, fieldName)))
    .filter((name) => name !== '')
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
            {resource.name === actor.email ? null : <bdi>{nameOf(entry)}</bdi>}
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

const nameOf = (entry: AuditEntry): string => {
  const { type, name } = entry.resource;
  return bulkText(entry, texts.details) ?? (type === 'session' ? deviceText(name) : name);
};

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
    [texts.facts.time, <Exactly key="time" at={entry.timestamp} />],
    [texts.facts.actor, <bdi key="actor">{whoOf(entry)}</bdi>],
    [texts.facts.resource, <Resource key="resource" entry={entry} />],
    ...facts.map(([name, value]): [string, ReactNode] => [
      detailName(name, texts.details, fieldName),
      <Value key={name} value={wordOf(name, value, texts.details)} />,
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
        {shown.map(([label, value], place) => (
          // Two details can have one word.
          <div key={`${place} ${label}`} className="fact">
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

function Resource({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <bdi>{nameOf(entry)}</bdi> <Code text={entry.resource.id} />
    </>
  );
}

/** The time in the viewer's zone and in UTC. */
function Exactly({ at }: { at: string }) {
  return <time dateTime={at}>{exactTime(at).replace('\n', ' · ')}</time>;
}

function Code({ text }: { text: string }) {
  return <span className="mono wrap">{text}</span>;
}
