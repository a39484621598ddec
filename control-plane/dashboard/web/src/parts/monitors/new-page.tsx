import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { texts } from '../../texts/app/texts.ts';
import { texts as bulk } from './bulk/texts/texts.ts';
import { Watch } from './watch/watch.tsx';

export function NewMonitorPage() {
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead
        title={texts.watch.title}
        sentence={texts.watch.lead}
        actions={
          mayWrite ? (
            <Button variant="default" component={Link} to="/monitors/new/lines">
              {bulk.paste.link}
            </Button>
          ) : undefined
        }
      />
      <Watch />
    </>
  );
}
