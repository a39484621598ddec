import type { ReactNode } from 'react';
import type { Monitor } from '../../../api/types.ts';
import { FactList } from '../../../components/page/fact-list.tsx';
import { Time } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { milliseconds } from '../../../texts/format.ts';
import { Notifies } from '../channels/notifies.tsx';
import { useCity } from '../location-list.tsx';

/** What the monitor is set to. */
export function Settings({ monitor }: { monitor: Monitor }) {
  const city = useCity();
  const { http, confirmations, channels, tags, runbook_url: runbook } = monitor;
  const words = texts.monitor.labels;
  const facts: [string, ReactNode][] = [
    [words.type, texts.watch.types[monitor.type]],
    [
      words.url,
      <span key="url" className="mono">
        {monitor.url}
      </span>,
    ],
    [words.interval, texts.seconds(monitor.interval_seconds)],
    [words.timeout, milliseconds(monitor.timeout_ms)],
    [words.locations, monitor.locations.map(city).join(', ')],
    [words.confirmations, confirmations ?? texts.monitor.majority],
    [words.retries, monitor.retries],
    ...(http === null ? [] : httpFacts(http)),
    [words.channels, <Notifies key="channels" ids={channels} />],
    ...(tags.length === 0 ? [] : [[words.tags, tags.join(', ')] as [string, ReactNode]]),
    ...(runbook === null ? [] : [[words.runbook, <Runbook key="runbook" url={runbook} />] as [string, ReactNode]]),
    [words.created, <Time key="created" at={monitor.created_at} />],
  ];
  return (
    <section className="panel section" id="settings" tabIndex={-1}>
      <h2>{texts.monitor.settings}</h2>
      <FactList facts={facts} />
    </section>
  );
}

function httpFacts(http: NonNullable<Monitor['http']>): [string, ReactNode][] {
  const words = texts.monitor.labels;
  return [
    [words.method, http.method],
    [words.status, http.expected_status],
    ...(http.keyword === null ? [] : [[words.keyword, http.keyword] as [string, ReactNode]]),
    ...(http.keyword_absent === null ? [] : [[words.keywordAbsent, http.keyword_absent] as [string, ReactNode]]),
  ];
}

/** Only web addresses become links: a `javascript:` URL would run in the page of whoever clicks it. */
export function Runbook({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="wrap">
      {url}
    </a>
  );
}
