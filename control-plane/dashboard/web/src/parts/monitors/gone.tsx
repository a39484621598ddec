import { Gone as GoneObject } from '../../components/gone.tsx';
import { texts } from '../../texts/app/texts.ts';

/** In place of a monitor that does not exist. */
export function Gone() {
  return <GoneObject text={texts.monitor.notFound} to="/monitors" label={texts.overview.allMonitors} />;
}
