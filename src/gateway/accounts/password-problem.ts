// What a new password must be: long enough, and not what a guesser tries first. Rules about its
// letters make people choose worse ones.
import { passwordLength } from '../../kernel/crypto/password.ts';

export type PasswordProblem = 'length' | 'guessable';

/** Null: it will do. `email`: the account's. */
export function passwordProblem(password: string, email = ''): PasswordProblem | null {
  const { min, max } = passwordLength;
  const characters = Array.from(password.toLowerCase());
  if (characters.length < min || characters.length > max) return 'length';
  const text = characters.join('').trim();
  const address = email.trim().toLowerCase();
  const isAddress = address !== '' && (text === address || text === address.split('@')[0]);
  return isAddress || isRepeated(text) || isSequential(text) ? 'guessable' : null;
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
