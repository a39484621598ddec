import type { TemplateWords } from '../mailer.js';
import { STOP_LABEL } from '../one-click.js';

/** What the template says in all mails without words of their own. */
export const TEMPLATE_ENGLISH: TemplateWords = {
  language: 'en',
  stop: STOP_LABEL,
  copy: 'Or copy this address into your browser:',
};
