// Failures have one class, Fault, with a code from the table. One file per product converts a Fault
// to problem+json. Impossible states are assertions of the kernel.
import { isProductionCode, placeOf } from '../place.ts';
import { eachFile, type Rule } from '../rule.ts';
import { childOf, nameOf } from '../source.ts';

const failuresAreFaults: Rule = {
  name: 'failures are Faults',
  description: 'Outside of the kernel no file throws a plain Error or defines an error class.',
  scope: (path) => isProductionCode(path) && placeOf(path).kind !== 'kernel',
  atLeast: 30,
  find: eachFile(({ path, visits, lineOf }) =>
    visits.flatMap(({ node }) => {
      const line = lineOf(node.start);
      const thrownNode = node.type === 'ThrowStatement' ? childOf(node, 'argument') : null;
      const creation = /^(New|Call)Expression$/.test(thrownNode?.type ?? '') ? thrownNode : null;
      const name = nameOf(childOf(creation, 'callee')) ?? '';
      if (/Error$/.test(name)) return [{ path, line, what: `throws ${name}, not a Fault` }];
      if (/^(Literal|TemplateLiteral|ObjectExpression)$/.test(thrownNode?.type ?? '')) {
        return [{ path, line, what: 'throws a value that is not a Fault' }];
      }
      const parent = /^Class/.test(node.type) ? nameOf(childOf(node, 'superClass')) : null;
      const isErrorClass = parent !== null && /(Error|Fault)$/.test(parent);
      return isErrorClass
        ? [{ path, line, what: `defines an error class that extends ${parent}` }]
        : [];
    }),
  ),
  violations: [
    { 'src/radar/ranking/a.ts': "throw new Error('no');" },
    { 'src/store/a.ts': "const f = () => { throw TypeError('no'); };" },
    { 'src/store/a.ts': "throw 'no';" },
    { 'src/store/a.ts': 'class Missing extends Error {}' },
    { 'src/store/a.ts': 'const Missing = class extends Fault {};' },
  ],
  nearMisses: [
    { 'src/radar/ranking/a.ts': "throw new Fault('not_found', 'No such story.');" },
    { 'src/radar/ranking/a.ts': 'try { a(); } catch (error) { throw error; }' },
    { 'src/kernel/assert.ts': "throw new Error('assertion failed');" },
  ],
};

const oneFileBuildsProblems: Rule = {
  name: 'one file builds problems',
  description: 'One file of each product writes the media type application/problem+json.',
  scope: isProductionCode,
  atLeast: 40,
  find: (sources) => {
    const problemWriters = sources.flatMap(({ path, texts }) =>
      texts
        .filter(({ value }) => value.includes('application/problem+json'))
        .slice(0, 1)
        .map(({ line }) => ({ path, line, what: 'writes application/problem+json' })),
    );
    // Each product has its own file, because the two contracts use different member names and the
    // products share no entry point.
    const writersOfProduct = (product: string) =>
      problemWriters.filter(({ path }) => path.startsWith(`src/${product}/`));
    const gateway = writersOfProduct('gateway');
    const otherWriters = problemWriters.filter((writer) => !gateway.includes(writer));
    return [gateway, otherWriters].flatMap((writers) => (writers.length > 1 ? writers : []));
  },
  violations: [
    {
      'src/radar/api/problem.ts': "const type = 'application/problem+json; charset=utf-8';",
      'src/radar/pages/error.ts': "reply.type('application/problem+json');",
    },
    {
      'src/gateway/api/problem.ts': "const type = 'application/problem+json';",
      'src/gateway/console/error.ts': "reply.type('application/problem+json');",
    },
    {
      'src/radar/api/problem.ts': "const type = 'application/problem+json';",
      'src/kernel/error.ts': "const type = 'application/problem+json';",
    },
  ],
  nearMisses: [
    {
      'src/radar/api/problem.ts': "const type = 'application/problem+json'; const again = type;",
      'src/gateway/api/problem.ts': "const type = 'application/problem+json';",
    },
  ],
};

export const faultRules: readonly Rule[] = [failuresAreFaults, oneFileBuildsProblems];
