import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../texts/app/texts.ts';
import { PageHead } from './page-head.tsx';

interface GoneProps {
  /** What does not exist, and why that may be. */
  text: string;
  /** The list that the object would be in. */
  to: '/monitors' | '/incidents' | '/servers' | '/blacklists';
  /** The name of that list, on the button. */
  label: string;
}

/** In place of an object that does not exist: a sentence, and the way to the list. */
export function Gone({ text, to, label }: GoneProps) {
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{text}</p>
        <div className="page-actions">
          <Button component={Link} to={to}>
            {label}
          </Button>
        </div>
      </section>
    </>
  );
}
