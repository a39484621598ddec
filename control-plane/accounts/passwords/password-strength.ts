import type { FieldError } from '../../errors.js';

/** ASVS 2.1.1 and 2.1.2: at least 12 characters, and at most 128. */
const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 128;

/** The estimate covers this many characters from the start, because its time grows faster than the length. */
const ESTIMATED_CHARS = 32;
/** Guesses that an attacker with the list needs. One machine tries 10^8 against a stolen Argon2id hash in a month. */
const GUESSES_MIN = 1e8;
/** Replaced characters (`p4ssw0rd`) that are tried for one password. */
const SUBSTITUTIONS_MAX = 8;

/**
 * Resolves to what is wrong with a password, null for a good one. The message follows its name in a sentence ("must not be ...").
 * `about` are words that others connect with the person: the e-mail address, the name of the workspace.
 */
export type PasswordProblem = (password: string, about: readonly string[]) => Promise<Omit<FieldError, 'path'> | null>;

/**
 * Returns the check of new passwords, by estimates of the library zxcvbn-ts: 49,000 common passwords, their variations,
 * repetitions, rows of keys. Loading the lists takes about 50 ms and 20 MB, so they are loaded for the first password.
 * A check takes at most some 20 ms.
 */
export function createPasswordProblem(): PasswordProblem {
  let loading: ReturnType<typeof loadEstimator> | null = null;
  return async (password, about) => {
    if (password.length < PASSWORD_CHARS_MIN) return weak(`must have at least ${PASSWORD_CHARS_MIN} characters`);
    if (password.length > PASSWORD_CHARS_MAX) {
      const message = `must have at most ${PASSWORD_CHARS_MAX} characters`;
      return { message, code: 'max_length', params: { max: PASSWORD_CHARS_MAX } };
    }
    const words = [...about, ...about.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)), 'picket'];
    loading ??= loadEstimator();
    const estimate = (await loading).check(
      password.slice(0, ESTIMATED_CHARS),
      words.filter((word) => word !== ''),
    );
    return estimate.guesses < GUESSES_MIN ? weak(reasonOf(estimate.feedback.warning)) : null;
  };
}

const weak = (message: string): Omit<FieldError, 'path'> => ({ message, code: 'weak_password' });

async function loadEstimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
    // It compares with each entry of the lists, which takes five times as long.
    useLevenshteinDistance: false,
  });
}

/** Returns the reason in words for the library's name of its strongest finding. */
function reasonOf(warning: string | null): string {
  switch (warning) {
    case 'userInputs':
      return 'must not be made from your address or the name of your workspace';
    case 'simpleRepeat':
    case 'extendedRepeat':
      return 'must not repeat the same few characters';
    case 'straightRow':
    case 'keyPattern':
    case 'sequences':
      return 'must not be a row of characters or keys';
    default:
      return 'must not be a common password, or close to one';
  }
}
