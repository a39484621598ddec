import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { BlacklistMonitor, One } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { DeleteButton } from '../../../components/deletion/delete-button.tsx';
import { Gone } from '../../../components/page/gone.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { type Frequency, FrequencyField } from '../add-form.tsx';
import { Answers } from '../answers.tsx';
import { TargetMark } from '../marks.tsx';
import { blacklistMonitorQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { Figures } from './figures.tsx';
import { History } from './history.tsx';
import { Listings } from './listings.tsx';
import { Scores } from './scores.tsx';
import '../blacklists.css';

const NAMES_MAX = 3;

export function BlacklistMonitorPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: monitor, error, refetch } = useQuery(blacklistMonitorQuery(id));
  const mayWrite = useMayWrite();
  if (monitor === undefined) {
    return (
      <UnreadPage
        key={id}
        error={error}
        retry={() => void refetch()}
        gone={<Gone text={texts.one.notFound} to="/blacklists" label={texts.one.toList} />}
      />
    );
  }
  return (
    <>
      <PageHead
        title={monitor.target}
        mark={<TargetMark status={monitor.status} quiet />}
        sentence={sentenceOf(monitor)}
        tone={monitor.status === 'listed' ? 'down' : 'idle'}
        actions={mayWrite ? <DeleteMonitor monitor={monitor} /> : undefined}
      />
      <div className="stack">
        <Figures monitor={monitor}>{mayWrite ? <FrequencyChoice monitor={monitor} /> : null}</Figures>
        <Listings listings={monitor.listings} />
        {monitor.last_checked_at === null ? null : <Scores monitor={monitor} />}
        {monitor.last_checked_at === null ? null : (
          <div className="columns">
            <Answers results={monitor.results} notAsked={monitor.not_asked} />
            <History key={monitor.last_checked_at} id={monitor.id} />
          </div>
        )}
      </div>
    </>
  );
}

function sentenceOf(monitor: BlacklistMonitor): string {
  const { listings, rating, responding, asked, clean, results } = monitor;
  const words = texts.one;
  const names = listings.filter(({ policy }) => !policy).map(({ name }) => name);
  if (names.length > 0) return names.length > NAMES_MAX ? words.listedMany(names.length) : words.listed(names);
  if (responding === null) return words.waiting;
  if (rating === 'unresolvable') return words.unresolvable;
  if (responding === 0) return words.noAnswer;
  const known = new Set(listings.map(({ provider }) => provider));
  const found = results.filter(
    ({ provider, status, policy }) => status === 'listed' && !policy && !known.has(provider),
  );
  if (found.length > 0) return words.found(found.length);
  return listings.length > 0 ? words.policy(listings.length) : words.clean(clean ?? 0, asked ?? 0);
}

/** It can be changed back, so it does not ask. */
function FrequencyChoice({ monitor: { id, frequency } }: { monitor: BlacklistMonitor }) {
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: async (next: Frequency) =>
      (await call<One<BlacklistMonitor>>('PATCH', apiPath`/api/v1/blacklist/monitors/${id}`, { frequency: next })).data,
    onSuccess: (changed) => queries.setQueryData(['blacklist-monitor', id], changed),
  });
  const choose = (next: Frequency) =>
    set.mutate(next, {
      onSuccess: () =>
        toast({
          text: texts.one.changedFrequency(texts.form.frequencies[next]),
          undo: () => set.mutate(frequency),
        }),
    });
  return (
    <>
      <FrequencyField value={set.isPending ? set.variables : frequency} change={choose} />
      <ActionProblem error={set.error} />
    </>
  );
}

function DeleteMonitor({ monitor: { id, target } }: { monitor: BlacklistMonitor }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/api/v1/blacklist/monitors/${id}`;
  const onDeleted = async () => {
    await navigate({ to: '/blacklists' });
    queries.removeQueries({ queryKey: ['blacklist-monitor', id] });
    for (const queryKey of [['blacklist-monitors'], ['billing'], ['alert-rules']])
      void queries.invalidateQueries({ queryKey });
  };
  return (
    <DeleteButton label={texts.one.delete} title={texts.one.deleteTitle(target)} path={path} onDeleted={onDeleted}>
      {texts.one.deleteText}
    </DeleteButton>
  );
}
