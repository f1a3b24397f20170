// Private words: names and comments use the nouns of the field, as the glossary lists them.
import { isCode, isShellScript } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import { childOf, childrenOf, type Node, nameOf, type Visit } from '../source.ts';

/** Private words of this project. The glossary has a standard term for each. */
const privateWords = new Set([
  ...['house', 'door', 'room', 'wing', 'desk', 'edition', 'judgement', 'told', 'tell', 'tells'],
  ...['heard', 'hear', 'hears', 'asked', 'said', 'lane', 'twins', 'board', 'grown', 'heed'],
  ...['heeds', 'shelf', 'seat', 'keeper', 'gist', 'mint', 'fate', 'tired', 'nobody', 'whoever'],
  ...['houses', 'doors', 'rooms', 'wings', 'desks', 'editions', 'judgements', 'lanes', 'boards'],
  ...['shelves', 'seats', 'keepers', 'gists', 'mints', 'fates', 'film', 'films', 'wish'],
  ...['wishes', 'picture', 'pictures', 'pictured'],
]);
/** Words that are vague in comments, but permitted in names: `books` is the name of a table. */
const wordsOfProse = new Set(['somebody', 'everybody', 'book', 'books']);
/** Verbs for people and texts, which do not apply to functions. */
const speechPattern = /([\p{L}-]+)\s+(asks|hears|says|tells|thinks|knows|wants)\b/giu;
const speakers = new Set([
  ...['who', 'user', 'reader', 'operator', 'customer', 'person', 'editor', 'author', 'publisher'],
  ...['sender', 'visitor', 'owner', 'developer', 'article', 'text', 'title', 'headline'],
  ...['sentence', 'rfc', 'standard', 'specification'],
]);
/** Names on the wire, which are promised to clients and do not change. */
const wireFiles =
  /^packages\/|\/openapi\/|\/wire-[\w-]+\.ts$|^tests\/architecture\/rules\/vocabulary\.ts$/;

const standardWordsInNames: Rule = {
  name: 'private words in identifiers',
  description: 'A declared name consists of standard terms; the glossary lists the terms.',
  scope: (path) => isCode(path) && !wireFiles.test(path),
  atLeast: 60,
  find: eachFile(({ path, visits, lineOf }) =>
    visits.flatMap((visit) =>
      declaredNames(visit).flatMap((name): Finding[] => {
        const word = wordsOf(name).find((word) => privateWords.has(word));
        return word ? [{ path, line: lineOf(visit.node.start), what: `“${word}” in ${name}` }] : [];
      }),
    ),
  ),
  violations: [
    { 'src/kernel/a.ts': 'export type HttpDoor = {};' },
    { 'src/kernel/a.ts': 'type A = { readonly askedAt: number };' },
    { 'src/kernel/a.ts': 'function openHouse() {}' },
    { 'src/kernel/a.ts': 'const { b: storyKeeper } = c;' },
    { 'src/kernel/a.ts': "import { openConsole as openDoor } from './b.ts';" },
    { 'tests/a.test.ts': 'const desks = [];' },
    { 'src/kernel/a.ts': 'const pictureOf = 1;' },
    { 'src/kernel/a.ts': 'const [isTold, names] = b;' },
    { 'src/kernel/a.ts': "const messages = { nobodyAsked: 'Text' };" },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': "const dashboard = 'desk'; const doorway = clipboard.told;" },
    { 'src/radar/api/wire-item.ts': 'export type Edition = {};' },
  ],
};

const standardWordsInComments: Rule = {
  name: 'private words in comments',
  description: 'A comment uses standard terms, and code in it does not speak, listen or think.',
  scope: (path) => (isCode(path) && !wireFiles.test(path)) || isShellScript(path),
  atLeast: 60,
  find: eachFile(({ path, comments }) =>
    comments.flatMap(({ value, line }) =>
      wrongWords(value).map((word) => ({ path, line, what: `“${word}” in a comment` })),
    ),
  ),
  violations: [
    { 'src/kernel/a.ts': '// The house has one clock.' },
    { 'src/kernel/a.ts': '/** Whoever calls this gets a number. */' },
    { 'src/kernel/a.ts': '// The worker tells the server.' },
    { 'src/kernel/a.ts': '// The books are balanced.' },
    { 'src/kernel/a.ts': '// It knows the address.' },
    { 'bin/start': '#!/bin/sh\n# The process tells the guard where the socket lies.' },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': '// The command `eval desk` measures the enricher.' },
    { 'src/kernel/a.ts': '// The reader knows the address, and the title says “house”.' },
  ],
};

/** The names that a node declares: variables, parameters, functions, types, classes, members. */
function declaredNames({ node }: Visit): readonly string[] {
  switch (node.type) {
    case 'VariableDeclarator':
    case 'ClassDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return namesIn([childOf(node, 'id')]);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return namesIn([childOf(node, 'id'), ...childrenOf(node, 'params')]);
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return node.computed === true ? [] : namesIn([childOf(node, 'key')]);
    case 'ImportSpecifier':
      return namesIn([childOf(node, 'local')]);
    case 'ArrayPattern':
      return namesIn(childrenOf(node, 'elements'));
    case 'ObjectExpression':
      return namesIn(
        childrenOf(node, 'properties')
          .filter(isNamedKey)
          .map((property) => childOf(property, 'key')),
      ).filter(isCompound);
    case 'ObjectPattern':
      return namesIn(
        childrenOf(node, 'properties')
          .filter(({ shorthand }) => shorthand !== true)
          .map((property) => childOf(property, 'value')),
      );
    default:
      return [];
  }
}

const isNamedKey = ({ type, computed, shorthand }: Node): boolean =>
  type === 'Property' && computed !== true && shorthand !== true;

/** Keys of one word, and those with an underscore, may be names of columns or of the wire. */
const isCompound = (name: string): boolean => /^[a-z]+[A-Z]/.test(name) && !name.includes('_');

function namesIn(nodes: readonly (Node | null)[]): readonly string[] {
  return nodes.flatMap((node) => {
    const name = nameOf(node?.type === 'AssignmentPattern' ? childOf(node, 'left') : node);
    return name === null ? [] : [name];
  });
}

function wordsOf(name: string): readonly string[] {
  return name
    .split(/[_$\d]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
}

export function wrongWords(comment: string): readonly string[] {
  const plain = comment.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, ' … ');
  const words = (plain.match(/[\p{L}-]+/gu) ?? []).map((word) => word.toLowerCase());
  const problems = words.filter((word) => privateWords.has(word) || wordsOfProse.has(word));
  const speechMatches = [...plain.matchAll(speechPattern)].filter(
    ([, subject = '']) => !speakers.has(subject.toLowerCase().replace(/s$/, '')),
  );
  return [...problems, ...speechMatches.map(([all]) => all.replace(/\s+/g, ' '))];
}

export const vocabularyRules: readonly Rule[] = [standardWordsInNames, standardWordsInComments];
