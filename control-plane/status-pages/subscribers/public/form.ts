import type { Context } from 'koa';
import { Value } from 'typebox/value';
import type { Logger } from '../../../../kernel/logger.js';
import { clientOf } from '../../../http/client/client.js';
import { canonicalEmail, EmailAddress } from '../../../http/input/email-address.js';
import { readRawBody } from '../../../http/input/read-body.js';
import { isDuplicateKey } from '../../../storage/transaction.js';
import { componentsOf, type StatusPageDocument } from '../../documents.js';
import type { HtmlPage } from '../../render/html.js';
import type { PageLanguage } from '../../words/languages.js';
import { accessOf } from '../access.js';
import { askAddress } from '../ask.js';
import type { SubscriberNeeds } from '../needs.js';
import { ADDRESS_FIELD } from './form-section.js';
import { COMPONENT_FIELD, formPage, saidPage } from './pages.js';

/** An address, and 50 components. */
const FORM_BYTES_MAX = 4_000;
/** Every answer takes this long at least, so that its time does not say whether an e-mail was written. */
const ANSWER_AFTER_MS = 250;
const Address = EmailAddress();

/** The answer to a form. */
interface FormAnswer {
  status: 200 | 422 | 429;
  page: HtmlPage;
}

/** The page as the visitor was admitted to it: a new password counts for what they subscribe to only after they have entered it. */
type AdmittedPage = Pick<StatusPageDocument, '_id' | 'workspace_id' | 'visibility' | 'password_hash'>;

/** The form with which visitors of a page subscribe. */
export interface SubscriptionForm {
  /** Reads the form of a visitor who may see the page. The answer never says whether the address is known. */
  submit(ctx: Context, page: AdmittedPage, language: PageLanguage): Promise<FormAnswer>;
}

/** Returns null without a mail server, because nobody can be asked. */
export function createSubscriptionForm(needs: SubscriberNeeds & { logger: Logger }): SubscriptionForm | null {
  if (needs.smtpUrl === null) return null;
  const { store, limit, clock, runRequestTransaction } = needs;

  async function ask(
    page: StatusPageDocument,
    { form, language, access }: { form: URLSearchParams; language: PageLanguage; access: string },
  ): Promise<void> {
    const present = new Set(componentsOf(page).map(({ id }) => id));
    const chosen = [...new Set(form.getAll(COMPONENT_FIELD))].filter((id) => present.has(id));
    const settings = { language, component_ids: chosen.length === 0 ? null : chosen, access };
    const address = canonicalEmail(addressOf(form));
    try {
      await runRequestTransaction((tx) => askAddress(needs, tx, { page, address, settings, createdBy: null }));
    } catch (error) {
      // The same form was sent twice at once: the other one has asked.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  return {
    async submit(ctx, admitted, language) {
      const form = await formOf(ctx);
      const { ip } = clientOf(ctx);
      // Counted by itself, also when the rest fails.
      if (!(await runRequestTransaction((tx) => limit.form(tx, ip, clock.now()))))
        return { status: 429, page: saidPage(language, 'tooMany') };
      const page = await store.find(admitted.workspace_id, admitted._id);
      if (page === null) return { status: 200, page: saidPage(language, 'asked') };
      if (!Value.Check(Address, addressOf(form))) return { status: 422, page: formPage(language, page, true) };
      await Promise.all([ask(page, { form, language, access: accessOf(admitted) }), clock.sleep(ANSWER_AFTER_MS)]);
      return { status: 200, page: saidPage(language, 'asked') };
    },
  };
}

function addressOf(form: URLSearchParams): string {
  return (form.get(ADDRESS_FIELD) ?? '').trim();
}

async function formOf(ctx: Context): Promise<URLSearchParams> {
  const type = 'application/x-www-form-urlencoded';
  if (ctx.is(type) !== type) return new URLSearchParams();
  const { bytes } = await readRawBody(ctx.req, { type, headers: [] });
  return new URLSearchParams(bytes.length > FORM_BYTES_MAX ? '' : bytes.toString('utf8'));
}
