import { Gone as GoneObject } from '../../components/page/gone.tsx';
import { texts } from '../../texts/app/texts.ts';

/** In place of a monitor that does not exist. */
export function Gone({ path }: { path: string }) {
  return <GoneObject text={texts.monitor.notFound} to="/monitors" label={texts.overview.allMonitors} edited={path} />;
}
