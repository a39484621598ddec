import { inLanguage } from '../../texts/catalogue.ts';

/** What Picket says of an answer, in English as the API has it, and in another language. `$1` is what the first group found. */
type Words = readonly (readonly [RegExp, string])[];

const MEANINGS: Readonly<Record<string, string>> = {
  'reported spam': 'gemeldeter Spam',
  spam: 'Spam',
  'spam source': 'Quelle von Spam',
  'spam or attacks': 'Spam oder Angriffe',
  'mail to a spam trap': 'Post an eine Spamfalle',
  'part of a wave of spam': 'Teil einer Spamwelle',
  'bad reputation': 'schlechter Ruf',
  'very bad reputation': 'sehr schlechter Ruf',
  'worst reputation': 'schlechtester Ruf',
  malware: 'Schadsoftware',
  botnet: 'Botnetz',
  'botnet control': 'Steuerung eines Botnetzes',
  'brute force attacker': 'probiert Passwörter aus',
  'compromised router': 'übernommener Router',
  'open DNS resolver': 'offener DNS-Resolver',
  'open HTTP proxy': 'offener HTTP-Proxy',
  'open SOCKS proxy': 'offener SOCKS-Proxy',
  'open WinGate proxy': 'offener WinGate-Proxy',
  'web page proxy': 'Proxy für Webseiten',
  'proxy chain': 'Kette von Proxys',
  'abused, spam': 'missbraucht für Spam',
  'abused, phishing': 'missbraucht für Phishing',
  'abused, malware': 'missbraucht für Schadsoftware',
  'abused, botnet control': 'missbraucht zur Steuerung eines Botnetzes',
  'abused, redirector': 'missbraucht für Weiterleitungen',
  'abused VPN': 'missbrauchtes VPN',
  'another threat': 'eine andere Bedrohung',
  'PBL, by Spamhaus': 'PBL, von Spamhaus',
  'PBL, by the provider': 'PBL, vom Anbieter',
};

const REASONS: Words = [
  [/^The list did not answer in time\.$/, 'Die Liste hat nicht rechtzeitig geantwortet.'],
  [/^The DNS query failed: (.+)\.$/, 'Die DNS-Anfrage ist fehlgeschlagen: $1.'],
  [
    /^The answer is not from a DNS list.*$/,
    'Die Antwort kommt nicht von einer DNS-Liste: Sie liegt außerhalb von 127.0.0.0/8.',
  ],
  [/^The answer is not one of the known codes of this list\.$/, 'Diese Antwort ist bei dieser Liste nicht bekannt.'],
  [
    /^The list fails its own test, so its answer does not count\..*$/,
    'Die Liste besteht ihren eigenen Test nicht, deshalb zählt ihre Antwort nicht.',
  ],
  [
    /^The list refused the query: it does not answer this resolver\.$/,
    'Die Liste hat die Anfrage abgelehnt: Sie antwortet diesem Resolver nicht.',
  ],
  [
    /^The list refused the query: it does not list this type of target\.$/,
    'Die Liste hat die Anfrage abgelehnt: Sie führt solche Ziele nicht.',
  ],
  [/^The list refused the query: too many queries\.$/, 'Die Liste hat die Anfrage abgelehnt: zu viele Anfragen.'],
  [
    /^The list refused the query: the resolver is public.*$/,
    'Die Liste hat die Anfrage abgelehnt: Der Resolver ist öffentlich oder hat keinen Reverse-DNS-Eintrag.',
  ],
  [/^The list refused the query: .*$/, 'Die Liste hat die Anfrage abgelehnt.'],
  [/^The list does not support IPv6\.$/, 'Die Liste unterstützt kein IPv6.'],
  [/^The domain has no address\.$/, 'Die Domain hat keine Adresse.'],
  [
    /^The domain has no IPv4 address, and.*$/,
    'Die Domain hat keine IPv4-Adresse, und die Liste unterstützt kein IPv6.',
  ],
  [
    /^The lookup of the domain’s addresses timed out\.$/,
    'Die Adressen der Domain ließen sich nicht rechtzeitig ermitteln.',
  ],
  [/^The lookup of the domain’s addresses failed: (.+)\.$/, 'Die Adressen der Domain ließen sich nicht ermitteln: $1.'],
];

const words = inLanguage<{ meanings: Readonly<Record<string, string>>; reasons: Words }>({
  en: { meanings: {}, reasons: [] },
  de: { meanings: MEANINGS, reasons: REASONS },
});

/** Returns why a list did not answer, in the language of the person. What a list itself wrote stays as it is. Pure. */
export function reasonText(reason: string): string {
  const [pattern, text] = words.reasons.find(([one]) => one.test(reason)) ?? [];
  return pattern === undefined || text === undefined ? reason : reason.replace(pattern, text);
}

/** Returns what the codes of a list mean. Names that a list made up, such as SBL, stay as they are. Pure. */
export const meaningsText = (meanings: readonly string[]): string =>
  meanings.map((meaning) => words.meanings[meaning] ?? meaning).join(', ');
