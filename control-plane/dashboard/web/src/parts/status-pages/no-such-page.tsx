import { Gone } from '../../components/page/gone.tsx';
import { texts } from './texts/texts.ts';

/** In place of a status page that does not exist. */
export function NoSuchPage({ path }: { path: string }) {
  return <Gone text={texts.notFound} to="/status-pages" label={texts.toList} edited={path} />;
}
