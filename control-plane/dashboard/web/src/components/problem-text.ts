import { texts } from '../texts/app/texts.ts';
import type { FieldProblem } from '../texts/fields/facts.ts';
import { fieldSentence, namedFieldError } from '../texts/fields/field-sentence.ts';
import { duration } from '../texts/format.ts';

/** What explaining needs of a failed request: an ApiProblem, or null for an error that is none. */
interface Failed {
  /** 0: no answer came. */
  status: number;
  code: string;
  message: string;
  retryAfterS: number | null;
  body: Readonly<Record<string, unknown>>;
}

/** After how long another attempt can work, when the answer does not say it. */
const LIMITED_S = 60;
const UNAVAILABLE_S = 5;
/** A proxy in front may name anything. */
const REQUEST_ID_CHARS_MAX = 100;
/** More would be no sentence any more. */
const FIELDS_MAX = 3;

/** Returns why something could not be loaded. The page itself reads again. Pure. */
export function loadProblemText(problem: Failed | null): string {
  if (problem === null || problem.status === 0) return texts.problem.unreachable;
  if (problem.status === 429) return texts.problem.rateLimited;
  if (isDatabaseAway(problem)) return texts.problem.unavailable;
  if (problem.status >= 500) return texts.problem.loadFailed(requestIdOf(problem));
  return refusalText(problem);
}

/**
 * Returns what became of something that a person wanted to be done. Nothing does it again but the person. `isBack`: Picket,
 * which did not answer, does so again. Pure.
 */
export function actionProblemText(problem: Failed | null, isBack = false): string {
  const words = texts.problem.action;
  if (problem === null || problem.status === 0) return isBack ? words.answersAgain : words.unreachable;
  if (problem.status === 429) return texts.problem.action.rateLimited(waitOf(problem, LIMITED_S));
  if (isDatabaseAway(problem)) return texts.problem.action.unavailable(waitOf(problem, UNAVAILABLE_S));
  if (problem.status >= 500) return texts.problem.action.failed(requestIdOf(problem));
  return refusalText(problem);
}

/**
 * Returns whether nobody knows if the action was done, so that the person has to look. Pure. A database that was lost while
 * it stored a change may have it, too.
 */
export const isInDoubt = (problem: Failed | null): boolean =>
  problem === null || problem.status === 0 || problem.status >= 500;

/** Only the control plane itself knows what is the matter with its database; a proxy answers with 503 as well. */
const isDatabaseAway = ({ status, code }: Failed): boolean => status === 503 && code === 'unavailable';

function refusalText({ status, code, message, body }: Failed): string {
  if (status === 401) return texts.problem.loggedOut;
  if (status === 412) return texts.problem.changedMeanwhile;
  if (code === 'email_not_confirmed') return texts.problem.emailNotConfirmed;
  if (code === 'validation_failed') return fieldsText(body['errors']) ?? texts.problem.failed(message);
  const ofPlan = planProblem(body['errors']);
  if (ofPlan !== undefined) return fieldSentence(ofPlan);
  const isRoleTooLow = status === 403 && Array.isArray(body['required_roles']);
  return isRoleTooLow ? texts.problem.forbidden : texts.problem.failed(message);
}

/** Its detail names fields as the API does, which says nothing to a person. */
function fieldsText(errors: unknown): string | null {
  if (!Array.isArray(errors) || errors.length === 0) return null;
  return errors.slice(0, FIELDS_MAX).map(namedFieldError).join(' ');
}

/** The plan is no field; its error has the facts. */
function planProblem(errors: unknown): FieldProblem | undefined {
  return Array.isArray(errors) ? errors.find(({ code }) => code === 'plan_limit') : undefined;
}

const waitOf = ({ retryAfterS }: Failed, otherwiseS: number): string =>
  duration(Math.max(1, retryAfterS ?? otherwiseS) * 1_000);

/** Returns the ID by which the operator finds the request in the log; empty if the answer has none. */
function requestIdOf({ body: { request_id: id } }: Failed): string {
  return typeof id === 'string' ? id.slice(0, REQUEST_ID_CHARS_MAX) : '';
}
