import { PageHead } from '../../components/page-head.tsx';
import { texts } from '../../texts/app/texts.ts';
import { Watch } from './watch/watch.tsx';

export function NewMonitorPage() {
  return (
    <>
      <PageHead title={texts.watch.title} sentence={texts.watch.lead} />
      <Watch />
    </>
  );
}
