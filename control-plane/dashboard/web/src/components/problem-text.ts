import { texts } from '../texts/app/texts.ts';
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

/** How the API begins when the role is the reason; other refusals, such as those of the plan, explain themselves. */
const ROLE_TOO_LOW = /^Your role is /;
/** After how long another attempt can work, when the answer does not say it. */
const LIMITED_S = 60;
const UNAVAILABLE_S = 5;
/** A proxy in front may name anything. */
const REQUEST_ID_CHARS_MAX = 100;

/** Returns why something could not be loaded. The page itself reads again. Pure. */
export function loadProblemText(problem: Failed | null): string {
  if (problem === null || problem.status === 0) return texts.problem.unreachable;
  if (problem.status === 429) return texts.problem.rateLimited;
  if (isDatabaseAway(problem)) return texts.problem.unavailable;
  if (problem.status >= 500) return texts.problem.loadFailed(requestIdOf(problem));
  return refusalText(problem);
}

/** Returns what became of something that a person wanted to be done. Nothing does it again but the person. Pure. */
export function actionProblemText(problem: Failed | null): string {
  if (problem === null || problem.status === 0) return texts.problem.action.unreachable;
  if (problem.status === 429) return texts.problem.action.rateLimited(waitOf(problem, LIMITED_S));
  if (isDatabaseAway(problem)) return texts.problem.action.unavailable(waitOf(problem, UNAVAILABLE_S));
  if (problem.status >= 500) return texts.problem.action.failed(requestIdOf(problem));
  return refusalText(problem);
}

/** Only the control plane itself knows what is the matter with its database; a proxy answers with 503 as well. */
const isDatabaseAway = ({ status, code }: Failed): boolean => status === 503 && code === 'unavailable';

function refusalText({ status, message }: Failed): string {
  return status === 403 && ROLE_TOO_LOW.test(message) ? texts.problem.forbidden : texts.problem.failed(message);
}

const waitOf = ({ retryAfterS }: Failed, otherwiseS: number): string =>
  duration(Math.max(1, retryAfterS ?? otherwiseS) * 1_000);

/** Returns the ID by which the operator finds the request in the log; empty if the answer has none. */
function requestIdOf({ body: { request_id: id } }: Failed): string {
  return typeof id === 'string' ? id.slice(0, REQUEST_ID_CHARS_MAX) : '';
}
