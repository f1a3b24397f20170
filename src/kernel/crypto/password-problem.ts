// Lists the problems of a new password: its length, common passwords, its owner's name, and a
// strength that a library estimates. No rule requires certain characters, because such rules make
// people choose worse passwords (NIST SP 800-63B, 5.1.1.2).
import type { MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { passwordLength } from './password.ts';

export type PasswordProblem =
  | 'short'
  | 'long'
  /** A common password, or one with few further characters. */
  | 'common'
  /** Mostly the address or the name of its owner. */
  | 'owner'
  | 'repeated'
  /** Neighbours in the alphabet, in numbers or on a keyboard. */
  | 'sequence'
  | 'date'
  | 'weak';

/**
 * The library calls this score "safely unguessable": at least 10^8 guesses, when guessing is
 * throttled.
 */
const MIN_SCORE = 3;
/** The estimate reads only this many characters, because its time grows with every character. */
const ESTIMATED_CHARACTERS = 64;

/**
 * Empty: the password is strong enough. `owner`: the address of an account, or the name of an
 * operator.
 */
export async function passwordProblems(
  password: string,
  owner = '',
): Promise<readonly PasswordProblem[]> {
  const lengthProblems = findLengthProblems(password);
  if (password.trim() === '') return ['short'];
  const estimator = await loadEstimator();
  const names = ownerNames(owner);
  const checkedPart = Array.from(password.normalize('NFKC'))
    .slice(0, ESTIMATED_CHARACTERS)
    .join('');
  const { score, sequence } = estimator.check(checkedPart, [...names]);
  if (score >= MIN_SCORE) return lengthProblems;
  const strengthProblems = new Set(sequence.flatMap(problemsOfMatch));
  if (strengthProblems.size === 0 && lengthProblems.length === 0) strengthProblems.add('weak');
  return [...lengthProblems, ...strengthProblems];
}

function findLengthProblems(password: string): readonly PasswordProblem[] {
  const { min, max } = passwordLength;
  const { length } = Array.from(password);
  if (length < min) return ['short'];
  return length > max ? ['long'] : [];
}

/** The address or name, the part before the @, and their words. */
function ownerNames(owner: string): ReadonlySet<string> {
  const name = owner.trim().toLowerCase();
  const [local = ''] = name.split('@');
  return new Set(
    [name, local, ...name.split(/[^\p{L}\p{N}]+/u)].filter(({ length }) => length > 2),
  );
}

function problemsOfMatch(match: MatchExtended): readonly PasswordProblem[] {
  switch (match.pattern) {
    case 'dictionary':
      return [match.dictionaryName === 'userInputs' ? 'owner' : 'common'];
    case 'repeat':
      return ['repeated'];
    case 'sequence':
    case 'spatial':
      return ['sequence'];
    case 'date':
    // The only regular expression of the library matches recent years.
    case 'regex':
      return ['date'];
    default:
      return [];
  }
}

let loadedEstimator: Promise<ZxcvbnFactory> | null = null;

/** Loaded for the first new password: the lists take 0.3 s and 31 MB. */
const loadEstimator = (): Promise<ZxcvbnFactory> => {
  loadedEstimator ??= readEstimator();
  return loadedEstimator;
};

async function readEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs: adjacencyGraphs });
}

const { min, max } = passwordLength;

const texts: Readonly<Record<'en' | 'zh-CN', Readonly<Record<PasswordProblem, string>>>> = {
  en: {
    short: `A password has ${min} to ${max} characters.`,
    long: `A password has ${min} to ${max} characters.`,
    common: 'It contains little more than common passwords or words.',
    owner: 'It consists mostly of the address or name of its owner.',
    repeated: 'It repeats the same characters.',
    sequence: 'It follows the alphabet, numbers or the keyboard.',
    date: 'It consists mostly of a date or a year.',
    weak: 'It is too easy to guess.',
  },
  'zh-CN': {
    short: `密码为 ${min} 到 ${max} 个字符。`,
    long: `密码为 ${min} 到 ${max} 个字符。`,
    common: '它只由常见的密码或词语构成。',
    owner: '它主要由使用者的邮箱或名称构成。',
    repeated: '它在重复相同的字符。',
    sequence: '它按字母、数字或键盘的顺序排列。',
    date: '它主要由日期或年份构成。',
    weak: '它太容易被猜到。',
  },
};

const advice = {
  en: 'Use four words that do not belong together, or a password that a password manager made.',
  'zh-CN': '请用四个互不相干的词，或由密码管理器生成。',
} as const;

/** All problems as sentences, with advice for a better password. */
export function passwordProblemText(
  problems: readonly PasswordProblem[],
  language: 'en' | 'zh-CN' = 'en',
): string {
  const sentences = problems.map((problem) => texts[language][problem]);
  return [...sentences, advice[language]].join(language === 'en' ? ' ' : '');
}
