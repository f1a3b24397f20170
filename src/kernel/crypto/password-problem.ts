// What a new password must be: long enough, and not what a guesser tries first. Rules about its
// letters make people choose worse ones.
import { passwordLength } from './password.ts';

export type PasswordProblem = 'length' | 'guessable';

/** Null: it will do. `owner`: the address of an account, or the name of an operator. */
export function passwordProblem(password: string, owner = ''): PasswordProblem | null {
  const { min, max } = passwordLength;
  const characters = Array.from(password.toLowerCase());
  if (characters.length < min || characters.length > max) return 'length';
  const text = characters.join('').trim();
  const name = owner.trim().toLowerCase();
  const isName = name !== '' && (text === name || text === name.split('@')[0]);
  return isName || isRepeated(text) || isSequential(text) ? 'guessable' : null;
}

/** For a command line or an operator, in English. */
export function passwordProblemText(problem: PasswordProblem): string {
  const { min, max } = passwordLength;
  return problem === 'length'
    ? `A password has ${min} to ${max} characters.`
    : 'A password is not the address itself, and not a repeated or sequential text.';
}

/** One to four characters, again and again: `aaaaaaaaaa`, `abcabcabcabc`. */
const isRepeated = (text: string): boolean => /^(.{1,4}?)\1+$/su.test(text);

/** Rows that a finger slides along, in the order of a keyboard, an alphabet or numbers. */
const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
];
const sequences = [...rows, ...rows.map((row) => [...row].reverse().join(''))];

const isSequential = (text: string): boolean => sequences.some((row) => row.includes(text));
