// Message catalogues: an English object and a Chinese one with the same keys and placeholders. A
// placeholder is a parameter of a message. The compiler accepts a translation that omits a
// placeholder. A parameter that a language does not need, for example for a plural, therefore
// begins with an underscore.
import { isTestPath } from '../place.ts';
import type { Finding, Rule } from '../rule.ts';
import { childOf, childrenOf, type Node, nameOf, type Source, stringOf } from '../source.ts';

/**
 * `used`: placeholders such as `0` and `1.name`. `omitted`: placeholders that a language omits on
 * purpose, such as `_count`.
 */
type Placeholders = { readonly used: readonly string[]; readonly omitted: readonly string[] };
/** Null: a value that is not a literal, such as a list of names that both languages share. */
type Messages = ReadonlyMap<string, Placeholders | null>;
type Catalogue = {
  readonly path: string;
  readonly line: number;
  readonly language: 'english' | 'chinese';
  /** Equal for the two languages of one catalogue. */
  readonly pair: string;
  readonly messages: Messages;
};

const languages = [
  ['english', /^(en|english)$|En$/],
  ['chinese', /^(zh|chinese)$|Zh$/],
] as const;

const sameMessages: Rule = {
  name: 'messages of both languages',
  description:
    'Both languages of a message catalogue have the same keys and the same placeholders.',
  scope: (path) => path.startsWith('src/') && !isTestPath(path),
  atLeast: 200,
  find: (sources) => {
    const catalogues = sources.flatMap(cataloguesIn);
    return catalogues
      .filter(({ language }) => language === 'chinese')
      .flatMap((chinese) => {
        const english = catalogues.find(
          (candidate) => candidate.language === 'english' && candidate.pair === chinese.pair,
        );
        return english === undefined ? [] : differencesOf(english.messages, chinese);
      });
  },
  violations: [
    { 'src/a.ts': "const en = { a: 'A', b: 'B' }; const zh: typeof en = { a: '甲' };" },
    { 'src/a.ts': "const en = { a: { b: 'B' } }; const zh = { a: { b: '乙', c: '丙' } };" },
    { 'src/a.ts': "const en = { a: (n: number) => `${n}` }; const zh = { a: () => '甲' };" },
    { 'src/a.ts': 'const en = { a: (n, at) => n + at }; const zh = { a: (n, at) => `${n}` };' },
    { 'src/a.ts': "const en = { a: ({ n }) => n }; const zh = { a: ({ n }) => '甲' };" },
    {
      'src/m/money-en.ts': "export const moneyEn = { a: 'A' };",
      'src/m/money-zh.ts': "export const moneyZh = { b: 'B' };",
    },
  ],
  nearMisses: [
    { 'src/a.ts': 'const en = { a: (n: number) => `${n}` }; const zh = { a: (k) => `${k}个` };' },
    { 'src/a.ts': 'const english = { a: ({ n, at }) => n + at };' },
    { 'src/a.ts': 'const en = { a: (n) => `${n}` }; const zh = { a: (_n) => `甲` };' },
    { 'src/a.ts': 'const en = { a: (n) => f(n) }; const zh = { a: ({ b }) => `${b}` };' },
    { 'src/a.ts': "const en = { a: {} }; const zh = { a: { b: '乙' } };" },
    { 'src/a.ts': "const en = { a: shared }; const zh = { a: { b: '乙' } };" },
    { 'src/a.ts': "const en = { 'b': 'B', c: 1 }; const zh = { c: 2, b: '乙' };" },
    {
      'src/m/en.ts': "export const en = { a: 'A' };",
      'src/n/zh.ts': "export const zh = { b: 'B' };",
    },
  ],
};

function cataloguesIn({ path, visits, lineOf }: Source): Catalogue[] {
  return visits.flatMap(({ node }): Catalogue[] => {
    if (node.type !== 'VariableDeclarator') return [];
    const name = nameOf(childOf(node, 'id')) ?? '';
    const [language] = languages.find(([, pattern]) => pattern.test(name)) ?? [];
    const object = objectOf(childOf(node, 'init'));
    if (language === undefined || object === null) return [];
    const stem = (text: string) => text.replace(/\b(en|zh)\b|(En|Zh)$|^(english|chinese)$/g, '');
    const pair = `${path.replace(/\b(?:en|zh)\.ts$/, '')} ${stem(name)}`;
    return [{ path, line: lineOf(node.start), language, pair, messages: messagesOf(object, '') }];
  });
}

function objectOf(node: Node | null): Node | null {
  if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression') {
    return objectOf(childOf(node, 'expression'));
  }
  return node?.type === 'ObjectExpression' ? node : null;
}

/** Placeholders by the path of the message, such as `sources.count`. */
function messagesOf(object: Node, prefix: string): Messages {
  return new Map(
    childrenOf(object, 'properties').flatMap(
      (property): (readonly [string, Placeholders | null])[] => {
        const key = childOf(property, 'key');
        const value = childOf(property, 'value');
        const name = nameOf(key) ?? stringOf(key);
        if (name === null || value === null || property.computed) return [];
        const path = `${prefix}${name}`;
        const inner = objectOf(value);
        if (inner === null) return [[path, placeholdersOf(value)]];
        // An empty object means that this language shows the names themselves.
        if (childrenOf(inner, 'properties').length === 0) return [[path, null]];
        return [[path, noPlaceholders], ...messagesOf(inner, `${path}.`)];
      },
    ),
  );
}

const noPlaceholders: Placeholders = { used: [], omitted: [] };

function placeholdersOf(value: Node): Placeholders | null {
  if (/^(Identifier|MemberExpression|CallExpression|TSAsExpression)$/.test(value.type)) return null;
  if (value.type !== 'ArrowFunctionExpression') return noPlaceholders;
  const names = new Set<string>();
  collectNames(childOf(value, 'body'), names);
  const declared = childrenOf(value, 'params').flatMap((parameter, index) =>
    namesOf(parameter).map(([key, name]) => ({ place: `${index}${key}`, name })),
  );
  const placesWhere = (matches: (name: string) => boolean) =>
    declared.flatMap(({ place, name }) => (matches(name) ? [place] : []));
  return {
    used: placesWhere((name) => names.has(name)),
    omitted: placesWhere((name) => name.startsWith('_')),
  };
}

/** The names that a parameter declares, each with its property when the parameter is an object. */
function namesOf(parameter: Node): (readonly [key: string, name: string])[] {
  if (parameter.type === 'AssignmentPattern') {
    return namesOf(childOf(parameter, 'left') ?? parameter);
  }
  if (parameter.type !== 'ObjectPattern') return [['', nameOf(parameter) ?? '']];
  return childrenOf(parameter, 'properties').map((property) => {
    const key = nameOf(childOf(property, 'key')) ?? '';
    return [`.${key}`, nameOf(childOf(property, 'value')) ?? key];
  });
}

function collectNames(node: Node | null, names: Set<string>): void {
  const name = nameOf(node);
  if (name !== null) names.add(name);
  for (const value of Object.values(node ?? {})) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) {
        collectNames(child as Node, names);
      }
    }
  }
}

function differencesOf(english: Messages, { path, line, messages }: Catalogue): Finding[] {
  const keys = new Set([...english.keys(), ...messages.keys()]);
  return [...keys].flatMap((key) => {
    const [en, zh] = [english.get(key), messages.get(key)];
    if (en === null || zh === null || isWithinShared(key, english, messages)) return [];
    if (en === undefined || zh === undefined) {
      return [{ path, line, what: `${key} is missing in ${en ? 'Chinese' : 'English'}` }];
    }
    const missingNames = [...missingPlaceholders(en, zh), ...missingPlaceholders(zh, en)];
    return missingNames.length === 0
      ? []
      : [{ path, line, what: `${key}: placeholder ${missingNames}` }];
  });
}

/** Whether the key is a part of a value that one language does not have as a literal. */
function isWithinShared(key: string, ...catalogues: readonly Messages[]): boolean {
  const parents = [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index));
  return parents.some((parent) => catalogues.some((messages) => messages.get(parent) === null));
}

/** One language may use a whole parameter where the other language uses its properties. */
function missingPlaceholders(from: Placeholders, to: Placeholders): readonly string[] {
  const otherPlaces = [...to.used, ...to.omitted];
  return from.used.filter((place) =>
    otherPlaces.every(
      (otherPlace) =>
        otherPlace !== place &&
        !otherPlace.startsWith(`${place}.`) &&
        !place.startsWith(`${otherPlace}.`),
    ),
  );
}

export const catalogueRules: readonly Rule[] = [sameMessages];
