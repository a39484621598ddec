import { PageHead } from '../../components/page-head.tsx';
import { texts } from '../../texts/app/texts.ts';

/** In place of a monitor that does not exist. */
export function Gone() {
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{texts.monitor.notFound}</p>
      </section>
    </>
  );
}
