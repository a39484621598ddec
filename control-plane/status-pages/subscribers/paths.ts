/** The paths of the pages that mails link, below the public URL. Without the slug of the page, which can change. */
export const CONFIRM_PATH = '/confirm-subscription';
export const UNSUBSCRIBE_PATH = '/unsubscribe';
/** The token is in the query, because logs have the path of a request. */
export const TOKEN_PARAMETER = 't';
