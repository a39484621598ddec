import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/app/texts.ts';
import { PageHead } from './page-head.tsx';

/** In place of a page that the role of the person does not include, for example after a link from another person. */
export function NotAllowed({ title, text = texts.problem.forbidden }: { title: string; text?: string }) {
  return (
    <>
      <PageHead title={title} />
      <section className="panel empty">
        <p>{text}</p>
        <Button variant="default" component={Link} to="/">
          {texts.notFound.toOverview}
        </Button>
      </section>
    </>
  );
}
