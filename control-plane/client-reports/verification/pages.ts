import type { Language } from '../../http/client/language.js';
import { fitted, isolated } from '../../on-call/page/fitted.js';
import { framed } from '../../on-call/page/frame.js';
import type { CompletedReport } from '../download/completed.js';
import { TYPED_CHARS_MAX } from './code.js';
import { TEXTS } from './texts/texts.js';

const TEXT_BYTES_MAX = 1_000;
const TYPED_BYTES_MAX = 200;
/** The field of the form, which a browser sends in the query. */
export const CODE_PARAMETER = 'code';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
const COMMANDS = {
  linux: 'sha256sum FILE',
  mac: 'shasum -a 256 FILE',
  windows: 'certutil -hashfile FILE SHA256',
} as const;

/** What somebody sent, and the path of the form relative to the page: a proxy can put a path before ours. */
interface Asked {
  typed: string;
  formPath: string;
}

/** The page with the form alone, or below why there is no report. */
export function formPage(
  language: Language,
  notice: 'ask' | 'unknown' | 'tooMany' | 'unavailable',
  { typed, formPath }: Asked,
): string {
  const words = TEXTS[language];
  const { title, text } = words[notice];
  return framed(
    language,
    title,
    `<h1>${title}</h1>
<p>${text}</p>
<form method="get" action="${formPath}" role="search">
<label for="code">${words.code}</label>
<input id="code" name="${CODE_PARAMETER}" value="${fitted(typed, TYPED_BYTES_MAX)}" maxlength="${TYPED_CHARS_MAX}" required autocapitalize="characters" autocomplete="off" spellcheck="false" aria-describedby="code-help">
<p class="soft" id="code-help">${words.codeHelp}</p>
<button class="first">${words.verify}</button>
</form>`,
  );
}

/** The page that confirms a report. It shows nothing else of its workspace. */
export function foundPage(language: Language, report: CompletedReport, { formPath }: Pick<Asked, 'formPath'>): string {
  const words = TEXTS[language].found;
  const { systems } = TEXTS[language];
  const { time_zone: timeZone, period } = report;
  const format = new Intl.DateTimeFormat(LOCALES[language], { timeZone, dateStyle: 'long', timeStyle: 'short' });
  const line = (label: string, html: string) => `<dt>${label}</dt><dd>${html}</dd>`;
  return framed(
    language,
    words.title,
    `<h1>${words.title}</h1>
<p>${words.text}</p>
<dl>
${line(words.report, isolated(report.title, TEXT_BYTES_MAX))}
${line(words.client, isolated(report.client_name, TEXT_BYTES_MAX))}
${line(words.period, `${format.format(period.from_ms)} – ${format.format(period.to_ms)} (${timeZone})`)}
${line(words.made, `${format.format(report.completed_at_ms)} (${timeZone})`)}
${line(words.sha256, `<code>${report.sha256}</code>`)}
</dl>
<h2>${words.compare}</h2>
<p>${words.how}</p>
<dl>
${(['linux', 'mac', 'windows'] as const).map((system) => line(systems[system], `<code>${COMMANDS[system]}</code>`)).join('\n')}
</dl>
<p class="links"><a href="${formPath}">${words.another}</a></p>`,
  );
}
