import { SecondTime } from '../../components/time/time.tsx';
import { isTime, shownValue } from './details.ts';
import { texts } from './texts/texts.ts';

/** A value of an entry: times are those of the viewer. */
export function Value({ value }: { value: unknown }) {
  if (isTime(value)) return <SecondTime at={value} />;
  const text = shownValue(value, texts);
  return text === null ? <span className="soft">{texts.nothing}</span> : <bdi className="wrap">{text}</bdi>;
}
