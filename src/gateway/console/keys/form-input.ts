// What was typed into a form, of a length that is worth looking at, and how long somebody is to
// wait who has tried too often.
import type { PasswordProblem } from '../../accounts/password-problem.ts';
import type { ConsoleWords } from '../messages/console.ts';
import type { OutsideAnswer } from '../shell/console-context.ts';

export const typed = (form: URLSearchParams, name: string, max = 320): string =>
  (form.get(name) ?? '').trim().slice(0, max);

/** What is wrong with a new password, beside its field. */
export const passwordText = (
  words: Pick<ConsoleWords, 'passwordLength' | 'passwordGuessable'>,
  problem: PasswordProblem,
): string => (problem === 'length' ? words.passwordLength : words.passwordGuessable);

/** `page` is told whole seconds, never too few. */
export function waitingAnswer(
  waitMs: number,
  page: (seconds: number) => OutsideAnswer & { kind: 'page' },
): OutsideAnswer {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { ...page(seconds), headers: { 'retry-after': String(seconds) } };
}
