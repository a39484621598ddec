import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHead } from '../components/page-head.tsx';
import { texts } from '../texts/app/texts.ts';

export function NotFoundPage() {
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{texts.notFound.text}</p>
        <div className="page-actions">
          <Button component={Link} to="/">
            {texts.notFound.toOverview}
          </Button>
        </div>
      </section>
    </>
  );
}
