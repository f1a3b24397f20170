// Names of tests and messages of the program use standard terms, and do not personify code.
import { isCode, isTestPath } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import { childOf, childrenOf, memberOf, type Node, nameOf, stringOf } from '../source.ts';
import { wrongWords } from './vocabulary.ts';

/** Words that former file names and titles used. The glossary has a standard term for each. */
const formerWords = /^(asking|telling|acts|grown|dear|untold|unheard)$/i;
/** A title that begins with one of these verbs has the code as its subject. */
const speechFirst = /^(asks?|tells?|hears?|says?|knows?|thinks?|wants?)\b/i;
const cataloguePath = /\/messages\/|[-/](messages|texts)\.ts$/;
const logMethods = new Set(['debug', 'info', 'warn', 'error']);
const helpMethods = new Set(['description', 'option', 'argument', 'requiredOption', 'summary']);

const namesOfTests: Rule = {
  name: 'private words in test names',
  description:
    'The name of a test, and of its file, states the expected behaviour in standard terms.',
  scope: (path) => isTestPath(path) && isCode(path) && !path.startsWith('tests/architecture/'),
  atLeast: 200,
  find: eachFile(({ path, visits, lineOf }) => [
    ...wordsOfFile(path).map((word) => ({ path, line: 1, what: `“${word}” in the file’s name` })),
    ...visits.flatMap(({ node }): Finding[] => {
      const title = titleOf(node);
      if (title === null) return [];
      const words = [...wrongWords(title), ...(title.trim().match(speechFirst) ?? []).slice(0, 1)];
      return words.map((word) => ({
        path,
        line: lineOf(node.start),
        what: `“${word}” in a test’s name`,
      }));
    }),
  ]),
  violations: [
    { 'tests/a.test.ts': "it('a client is told how long to wait', () => {});" },
    { 'tests/a.test.ts': "test.each([[1]])('the server asks %s again', () => {});" },
    { 'tests/a.test.ts': "describe('every page of the desk', () => {});" },
    { 'src/kernel/a.test.ts': "it('says what is missing', () => {});" },
    { 'src/kernel/a.test.ts': 'it(`whoever calls gets ${n}`, () => {});' },
    { 'tests/killed-asking.test.ts': "it('loses nothing', () => {});" },
    { 'tests/api/told-twice.test.ts': "it('loses nothing', () => {});" },
  ],
  nearMisses: [
    { 'tests/a.test.ts': "it('returns 304 when the ETag matches', () => {});" },
    { 'tests/a.test.ts': "it('the reader knows the address', () => {});" },
    { 'tests/a.test.ts': "it('`eval desk` prints the accuracy', () => {});" },
    { 'tests/dashboard.test.ts': "list.each('told'); say('she asked');" },
  ],
};

const wordsOfMessages: Rule = {
  name: 'private words in messages',
  description: 'Logs, errors, help and page texts use standard terms; code in them does not speak.',
  scope: (path) => path.startsWith('src/') && isCode(path) && !isTestPath(path),
  atLeast: 200,
  find: eachFile(({ path, visits, texts, lineOf }) => [
    ...visits
      .flatMap(({ node }) => messagesIn(node).map((text) => ({ text, line: lineOf(node.start) })))
      .concat(
        cataloguePath.test(path) ? texts.map(({ value, line }) => ({ text: value, line })) : [],
      )
      .flatMap(({ text, line }) =>
        wrongWords(text).map((word) => ({ path, line, what: `“${word}” in a message` })),
      ),
  ]),
  violations: [
    { 'src/kernel/a.ts': "log.warn({}, 'the server was asked again');" },
    { 'src/kernel/a.ts': "throw new Fault('conflict', `Nobody has ${id}.`);" },
    { 'src/cli/a.ts': "command.option('--wait', 'waits until the house is ready');" },
    { 'src/cli/a.ts': "command.description('what the provider says');" },
    { 'src/gateway/console/messages/en.ts': "const en = { text: 'Your server was told.' };" },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': "log.warn({ asked }, 'the server was called again'); read('told');" },
    { 'src/cli/a.ts': "command('desk').description('measures the enricher (`eval desk`)');" },
    { 'src/gateway/console/messages/en.ts': "const en = { text: 'What the text says' };" },
  ],
};

/** The title of a test or test group, also after `each`, `skipIf` and similar calls. */
function titleOf(node: Node): string | null {
  if (node.type !== 'CallExpression') return null;
  const [title, body] = childrenOf(node, 'arguments');
  if (!title || !body || !/^(it|test|describe)$/.test(rootOf(node) ?? '')) return null;
  return textOf(title);
}

function rootOf(node: Node | null): string | null {
  if (node?.type === 'CallExpression') return rootOf(childOf(node, 'callee'));
  if (node?.type === 'MemberExpression') return rootOf(childOf(node, 'object'));
  return nameOf(node);
}

/** Texts of logs, Faults and command-line help in this node. */
function messagesIn(node: Node): readonly string[] {
  const callee = childOf(node, 'callee');
  const isFault = node.type === 'NewExpression' && nameOf(callee) === 'Fault';
  const member = node.type === 'CallExpression' ? (memberOf(callee) ?? '') : '';
  const isLog = logMethods.has(member) && /log$/i.test(lastName(childOf(callee, 'object')) ?? '');
  if (!isFault && !isLog && !helpMethods.has(member)) return [];
  return childrenOf(node, 'arguments').flatMap((argument) => textOf(argument) ?? []);
}

function lastName(node: Node | null): string | null {
  return node?.type === 'MemberExpression' ? memberOf(node) : nameOf(node);
}

function textOf(node: Node): string | null {
  if (node.type !== 'TemplateLiteral') return stringOf(node);
  const quasis = childrenOf(node, 'quasis').map(({ value }) => (value as { raw: string }).raw);
  return quasis.join(' … ');
}

function wordsOfFile(path: string): readonly string[] {
  const name = path.split('/').at(-1)?.replace(/\..*$/, '') ?? '';
  return name.split('-').filter((word) => formerWords.test(word) || wrongWords(word).length > 0);
}

export const textRules: readonly Rule[] = [namesOfTests, wordsOfMessages];
