/** Mails that ask, to one mailbox in a day, about all pages of the installation: nobody can flood a stranger with questions. */
export const QUESTIONS_PER_ADDRESS_PER_DAY_MAX = 5;
/** Mails that ask of one page. */
export const QUESTIONS_PER_PAGE_PER_DAY_MAX = 2_000;
/** Forms that one network sends in a day, of all pages. An office may share one. */
export const FORMS_PER_NETWORK_PER_DAY_MAX = 40;
/** Forms and questions of one workspace, so that its pages cannot use up the mail server together. */
export const QUESTIONS_PER_WORKSPACE_PER_DAY_MAX = 5_000;
/** How long the link of a question works. Until then, no other question about the page goes to the address. */
export const QUESTION_VALID_MS = 48 * 3_600_000;

export const WEBHOOKS_PER_PAGE_MAX = 10;

/** What happened longer ago is news no more: it is not sent. */
export const NEWS_MS = 24 * 3_600_000;
