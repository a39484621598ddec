import { texts } from '../texts/app/texts.ts';
import { PageHead } from './page-head.tsx';

/** In place of a page that the role of the person does not include, for example after a link from somebody else. */
export function NotAllowed({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <section className="panel empty">
        <p>{texts.problem.forbidden}</p>
      </section>
    </>
  );
}
