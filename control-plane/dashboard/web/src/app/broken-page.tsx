import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHead } from '../components/page/page-head.tsx';
import { texts } from '../texts/app/texts.ts';

/** In place of a page that could not be drawn. Another page is drawn again. */
export function BrokenPage() {
  const words = texts.broken;
  return (
    <>
      <PageHead title={words.title} />
      <section className="panel empty" role="alert">
        <p>{words.text}</p>
        <div className="page-actions">
          <Button onClick={() => location.reload()}>{words.reload}</Button>
          <Button variant="default" component={Link} to="/">
            {texts.notFound.toOverview}
          </Button>
        </div>
      </section>
    </>
  );
}
