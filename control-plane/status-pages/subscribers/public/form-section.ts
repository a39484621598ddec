import type { PageLanguage } from '../../words/languages.js';
import { SUBSCRIPTION_WORDS } from '../words/languages.js';
import type { SubscriptionWords } from '../words/words.js';

/** The field of the form with the e-mail address. */
export const ADDRESS_FIELD = 'address';

/** Returns the form as a part of the page, which sends it to `action`. */
export function formSection(language: PageLanguage, action: string): string {
  const words = SUBSCRIPTION_WORDS[language].form;
  return `<section><h2>${words.title}</h2>
<form method="post" action="${action}">
${addressField(words, false)}
<button>${words.button}</button>
</form><p><a href="${action}">${words.choose}</a></p></section>`;
}

/** Returns the field of the address with its label, as HTML. */
export function addressField({ label, wrong }: SubscriptionWords['form'], isWrong: boolean): string {
  const note = isWrong ? `<p class="wrong" role="alert" id="wrong">${wrong}</p>\n` : '';
  return `${note}<label for="address">${label}</label>
<input id="address" name="${ADDRESS_FIELD}" type="email" autocomplete="email" maxlength="254" required${isWrong ? ' aria-describedby="wrong"' : ''}>`;
}
