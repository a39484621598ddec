import { inLanguage } from './catalogue.ts';

/** Names that Picket itself gave, by what they are the names of. Cities that both languages write alike are left out. */
const names = inLanguage<Readonly<Record<string, string>>>({
  en: {},
  de: {
    'sin/Singapore': 'Singapur',
    'backup_missed/Backup missed or failed': 'Sicherung ausgeblieben oder fehlgeschlagen',
    'blacklist_listed/Listed on a blacklist': 'Auf einer Sperrliste gelistet',
    'email_score_fell/E-mail score fell': 'E-Mail-Wertung gefallen',
    'domain_expiring/Domain expiring': 'Domain läuft ab',
    'wordpress_check_failed/WordPress check failed': 'WordPress-Prüfung fehlgeschlagen',
    'disk_full/Disk full within a day': 'Platte innerhalb eines Tages voll',
  },
});

/** Returns the city of a location in the language of the person; another name than the built-in one stays. Pure. */
export const cityName = ({ code, city }: { code: string; city: string }): string => names[`${code}/${city}`] ?? city;

/** Returns the name of an alert rule; that of a default rule in the language of the person. Pure. */
export const ruleName = ({ type, name }: { type: string; name: string }): string => names[`${type}/${name}`] ?? name;
