import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PageHead } from '../../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../../components/page/unread-page.tsx';
import { changesQuery } from '../job/queries.ts';
import { texts } from '../texts/texts.ts';
import { Change } from './change.tsx';
import '../bulk.css';
import { MoreButton } from '../../../../components/more-button.tsx';

/** The bulk changes of the last 30 days, each with its way back. */
export function ChangesPage() {
  const changes = useInfiniteQuery(changesQuery);
  if (changes.data === undefined) {
    return <UnreadPage error={changes.error} retry={() => void changes.refetch()} />;
  }
  const rows = changes.data.pages.flatMap(({ data }) => data);
  return (
    <>
      <PageHead title={texts.list.title} sentence={rows.length === 0 ? undefined : texts.list.lead} />
      {rows.length === 0 ? (
        <section className="panel empty">
          <p>{texts.list.empty}</p>
          <Button component={Link} to="/monitors">
            {texts.list.toMonitors}
          </Button>
        </section>
      ) : (
        <section className="panel">
          <ul className="rows">
            {rows.map((change) => (
              <li key={change.id}>
                <Change change={change} />
              </li>
            ))}
          </ul>
          <MoreButton list={changes} label={texts.list.more} />
        </section>
      )}
    </>
  );
}
