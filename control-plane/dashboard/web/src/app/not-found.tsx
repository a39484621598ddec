import { Button } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { PageHead } from '../components/page/page-head.tsx';
import { texts } from '../texts/app/texts.ts';
import { useAccount } from './account.ts';
import { listAbove } from './list-above.ts';
import { navEntries, settingsEntries } from './places.ts';

export function NotFoundPage() {
  const account = useAccount();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const list = listAbove(path, [...navEntries(), ...settingsEntries(account)]);
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{texts.notFound.text}</p>
        <div className="page-actions">
          {list === null ? null : (
            <Button component={Link} to={list.to}>
              {texts.notFound.toList(list.label)}
            </Button>
          )}
          <Button component={Link} to="/" variant={list === null ? 'filled' : 'default'}>
            {texts.notFound.toOverview}
          </Button>
        </div>
      </section>
    </>
  );
}
