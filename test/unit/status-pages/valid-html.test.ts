import { HtmlValidate } from 'html-validate';
import t from 'tap';
import { htmlPage } from '../../../control-plane/status-pages/render/html.js';
import { noticePage, passwordPage } from '../../../control-plane/status-pages/render/notices.js';
import {
  buttonPage,
  confirmedPage,
  formPage,
  saidPage,
} from '../../../control-plane/status-pages/subscribers/public/pages.js';
import { LANGUAGES } from '../../../control-plane/status-pages/words/languages.js';
import { componentModel, fullPage, pageModel } from '../../helpers/status-pages/model.js';

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
const LINKS = {
  feed: 'example/feed.atom',
  calendar: 'example/maintenance.ics',
  json: 'example.json',
  logo: 'example/logo?v=1',
  canonical: 'https://status.example.com/',
  subscribe: 'example/subscribe',
};
const HOSTILE = '"><script>alert(1)</script><!-- \' & \u202e\u0000 ]]> {{x}}';
const FILE = { nameIn: (language: string) => `index.${language}.html` };
const link = { address: 'ann@example.com', page: { title: HOSTILE, color: '#1f4e79' } };
const components = ['One', HOSTILE].map((name, index) => ({ id: `cmp_${index}`, name }));

t.test('every state of the public pages is valid HTML, in each language', async (t) => {
  const problems: string[] = [];
  for (const language of LANGUAGES) {
    const hostile = pageModel([componentModel({ name: HOSTILE, description: HOSTILE })], {
      title: HOSTILE,
      description: HOSTILE,
    });
    const full = { ...fullPage() };
    const form = { title: HOSTILE, color: '#1f4e79', groups: [{ name: null, components }] } as never;
    const pages: Record<string, { html: string }> = {
      full: htmlPage(full, language, LINKS, null),
      'full as a file': htmlPage(full, language, LINKS, FILE),
      calm: htmlPage(pageModel([componentModel()]), language, LINKS, null),
      empty: htmlPage(pageModel([]), language, { ...LINKS, subscribe: null }, null),
      hostile: htmlPage(hostile, language, LINKS, null),
      password: passwordPage(language, 'example', false),
      'wrong password': passwordPage(language, 'example', true),
      'not found': noticePage(language, 'notFound'),
      form: formPage(language, form),
      'wrong form': formPage(language, form, true),
      confirm: buttonPage(language, 'confirm', link, { token: 'abc', path: '/confirm-subscription' }),
      stop: buttonPage(language, 'stop', link, { token: 'abc', path: '/unsubscribe' }),
      confirmed: confirmedPage(language, link),
      asked: saidPage(language, 'asked'),
    };
    for (const [name, { html }] of Object.entries(pages)) {
      const report = await validator.validateString(html);
      for (const { messages } of report.results)
        for (const { ruleId, message, line } of messages)
          problems.push(`${language}, ${name}, line ${line}: ${ruleId}: ${message}`);
    }
  }
  t.same(problems, []);
  const broken = await validator.validateString(
    '<!doctype html><html lang="en"><body><p><div>x</div></p></body></html>',
  );
  t.equal(broken.valid, false, 'the validator itself works');
});
