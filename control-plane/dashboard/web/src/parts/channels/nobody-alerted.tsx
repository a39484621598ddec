import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayWrite } from '../../app/account.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { channelsQuery } from './queries.ts';
import { reachesNobody } from './works.ts';

const texts = inLanguage({
  en: {
    none: 'Nobody is alerted yet: this workspace has no channel.',
    add: 'Add channel',
    noneWorks: 'Nobody is alerted: no channel works.',
    open: 'Open the channels',
  },
  de: {
    none: 'Noch wird niemand alarmiert: Dieser Arbeitsbereich hat keinen Kanal.',
    add: 'Kanal hinzufügen',
    noneWorks: 'Niemand wird alarmiert: Kein Kanal funktioniert.',
    open: 'Kanäle öffnen',
  },
});

/** Says so as long as an incident would reach nobody. */
export function NobodyAlerted() {
  const { data } = useQuery(channelsQuery);
  const mayWrite = useMayWrite();
  if (data === undefined || !reachesNobody(data.rows)) return null;
  const isNone = data.rows.length === 0;
  return (
    <p className="note bad">
      {isNone ? texts.none : texts.noneWorks}{' '}
      {!isNone ? (
        <Link to="/settings/channels">{texts.open}</Link>
      ) : mayWrite ? (
        <Link to="/settings/channels/new">{texts.add}</Link>
      ) : null}
    </p>
  );
}
