// Tests use real components and wait for events. They do not sleep, mock, or skip.
import { isTestPath } from '../place.ts';
import { eachFile, type Rule } from '../rule.ts';
import { childOf, memberOf, type Node, nameOf } from '../source.ts';

const mockFunctions = /^(mock|doMock|hoisted|stubGlobal|useFakeTimers|setSystemTime|spyOn)$/;

const testsUseRealComponents: Rule = {
  name: 'tests use real components',
  description: 'Tests do not sleep, mock, use unseeded randomness, or skip cases.',
  scope: (path) => isTestPath(path) && !/^tests\/(support|architecture)\//.test(path),
  atLeast: 20,
  find: eachFile(({ path, visits, imports, lineOf }) => [
    ...visits.flatMap(({ node }) => {
      const what = forbiddenUse(node);
      return what ? [{ path, line: lineOf(node.start), what }] : [];
    }),
    ...imports
      .filter(({ specifier }) => specifier === 'node:timers/promises')
      .map(({ line }) => ({ path, line, what: 'sleeps (tests/support waits for events)' })),
  ]),
  violations: [
    { 'tests/a.test.ts': 'await new Promise((resolve) => setTimeout(resolve, 500));' },
    { 'tests/a.test.ts': "import { setTimeout as sleep } from 'node:timers/promises';" },
    { 'src/kernel/a.test.ts': "vi.mock('./b.ts');" },
    { 'src/kernel/a.test.ts': "it.only('says a', () => {});" },
    { 'src/kernel/a.test.ts': "describe.skip('says a', () => {});" },
    { 'src/kernel/a.test.ts': "it.todo('says a');" },
    { 'src/kernel/a.test.ts': 'const roll = Math.random();' },
  ],
  nearMisses: [
    { 'src/kernel/a.test.ts': "it('skips', () => { list.only(1); }); const f = vi.fn();" },
    { 'tests/a.test.ts': "it.skipIf(!tool)('says a', async () => { await clock.sleep(5); });" },
    { 'tests/support/wait.ts': 'setTimeout(resolve, 20);' },
  ],
};

function forbiddenUse(node: Node): string | null {
  const object = nameOf(childOf(node, 'object')) ?? '';
  const member = memberOf(node) ?? '';
  if (object === 'vi' && mockFunctions.test(member)) return `uses a mock: vi.${member}`;
  if (object === 'Math' && member === 'random') return 'uses random values that no seed repeats';
  const isSuite = /^(it|test|describe|suite)$/.test(object);
  if (isSuite && /^(only|skip|todo|fails)$/.test(member)) return `omits tests: ${object}.${member}`;
  const isCall = node.type === 'CallExpression';
  return isCall && nameOf(childOf(node, 'callee')) === 'setTimeout' ? 'sleeps' : null;
}

export const proofRules: readonly Rule[] = [testsUseRealComponents];
