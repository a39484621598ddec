import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { apiUrl } from '../api/client.ts';
import { PageHead } from '../components/page-head.tsx';
import { texts } from '../texts/app/texts.ts';

/** Pages that e-mails and notifications link to and that the dashboard does not have yet. */
const NOT_YET = /^\/(?:account|settings|billing|channels)(?:\/|$)/;

export function NotFoundPage() {
  const { pathname } = useLocation();
  const isComing = NOT_YET.test(pathname);
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{isComing ? texts.notFound.notYet : texts.notFound.text}</p>
        <div className="page-actions">
          <Button component={Link} to="/">
            {texts.notFound.toOverview}
          </Button>
          {isComing ? (
            <Button variant="default" component="a" href={apiUrl('/docs')}>
              {texts.notFound.toReference}
            </Button>
          ) : null}
        </div>
      </section>
    </>
  );
}
