import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Forwarder } from '../../../api/types.ts';
import { useAccount } from '../../../app/account.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { forwardersQuery } from '../queries.ts';
import { texts as auditTexts } from '../texts/texts.ts';
import { ForwarderPanel } from './forwarder-panel.tsx';
import { NewForwarder } from './new-forwarder.tsx';
import './forwarders.css';

const texts = auditTexts.forwarders;

export function ForwardersPage() {
  const { features } = useAccount();
  return features.audit_export ? <Forwarders /> : <NeedsPlan />;
}

function Forwarders() {
  const { role } = useAccount();
  const isAdding = useSearch({ strict: false, select: ({ add }: { add?: boolean }) => add === true });
  const navigate = useNavigate();
  const setAdding = (add: boolean) =>
    void navigate({ to: '/settings/forwarders', search: add ? { add } : {}, replace: true });
  const { data: forwarders, error, refetch } = useQuery(forwardersQuery);
  if (forwarders === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const mayManage = role === 'owner' || role === 'admin';
  const addButton = mayManage ? <Button onClick={() => setAdding(true)}>{texts.add}</Button> : null;
  return (
    <>
      <PageHead
        title={texts.title}
        {...sentenceOf(forwarders)}
        actions={forwarders.length > 0 ? addButton : undefined}
      />
      <div className="stack">
        {isAdding ? <NewForwarder close={() => setAdding(false)} /> : null}
        {forwarders.length === 0 && !isAdding ? (
          <section className="panel empty">
            <p>{texts.purpose}</p>
            {addButton ?? <p className="soft">{texts.onlyManagers}</p>}
          </section>
        ) : null}
        {forwarders.map((forwarder) => (
          <ForwarderPanel key={forwarder.id} forwarder={forwarder} mayManage={mayManage} />
        ))}
      </div>
    </>
  );
}

/** The state of all forwarders in words, the worst first. */
function sentenceOf(forwarders: readonly Forwarder[]): { sentence: string; tone: 'idle' | 'warning' | 'down' } {
  const count = (state: Forwarder['state']) => forwarders.filter((one) => one.state === state).length;
  const [failing, paused] = [count('failing'), count('paused')];
  const behind = forwarders.filter(({ state, lag }) => state === 'active' && lag.events > 0).length;
  if (forwarders.length === 0) return { sentence: texts.none, tone: 'idle' };
  if (failing > 0) return { sentence: texts.failing(failing), tone: 'down' };
  if (paused > 0) return { sentence: texts.paused(paused), tone: 'warning' };
  return { sentence: behind > 0 ? texts.behind(behind) : texts.allWell(forwarders.length), tone: 'idle' };
}

function NeedsPlan() {
  return (
    <>
      <PageHead title={texts.title} sentence={texts.needsPlan} />
      <section className="panel empty">
        <p>{texts.purpose}</p>
        <Link to="/settings/billing">{auditTexts.plans}</Link>
      </section>
    </>
  );
}
