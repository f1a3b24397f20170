// The engine and the demonstration world share no data, so the engine derives everything that the
// demo shows.
import { isCode, isProductionCode, targetOf } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import type { Source } from '../source.ts';

const srcIgnoresTheDemo: Rule = {
  name: 'src does not depend on the demonstration',
  description: 'src imports nothing of demo, bench or tests, and names no path inside them.',
  scope: isProductionCode,
  atLeast: 40,
  find: eachFile((source) => importsOf(source, /^(demo|bench|tests)\//, /(^|\/)demo\//)),
  violations: [
    { 'src/radar/sources/a.ts': "import { feeds } from '../../../demo/feeds.ts';" },
    { 'src/cli/a.ts': "const file = new URL('../../demo/feeds.json', import.meta.url);" },
    { 'src/kernel/a.ts': "import { world } from '../../tests/support/world.ts';" },
  ],
  nearMisses: [
    { 'src/cli/a.ts': "import { demo } from './demo.ts'; const folder = 'data/demo';" },
    { 'src/cli/a.test.ts': "import { world } from '../../tests/support/world.ts';" },
  ],
};

const demoUsesNoRules: Rule = {
  name: 'the demonstration does not use src’s rules',
  description:
    'demo imports neither enrichment, stories nor editorial data, and names no such path.',
  scope: (path) => path.startsWith('demo/') && isCode(path),
  atLeast: 0,
  find: eachFile((source) =>
    importsOf(source, /^(src\/radar\/(enrichment|stories)\/|editorial\/)/, /(^|\/)editorial(\/|$)/),
  ),
  violations: [
    { 'demo/feeds.ts': "import { categories } from '../src/radar/enrichment/enricher.ts';" },
    { 'demo/feeds.ts': "import type { Story } from '../src/radar/stories/story.ts';" },
    { 'demo/feeds.ts': "import sources from '../editorial/sources.json';" },
    { 'demo/feeds.ts': "const words = readFileSync('editorial/lexicons/en.txt');" },
    { 'demo/feeds.ts': 'const words = `${root}/editorial`;' },
  ],
  nearMisses: [
    { 'demo/feeds.ts': "import { runningClock } from '../src/kernel/clock.ts';" },
    { 'demo/feeds.ts': "const participation = 'editorial'.length; const kind = 'an editorial';" },
  ],
};

function importsOf({ path, imports, texts }: Source, files: RegExp, specifiers: RegExp): Finding[] {
  const imported = imports.flatMap(({ specifier, line }) => {
    const target = targetOf(path, specifier ?? '');
    return files.test(target) ? [{ path, line, what: `imports ${target}` }] : [];
  });
  const writtenPaths = texts
    .filter(({ value }) => specifiers.test(value) && /[/]/.test(value))
    .map(({ line, value }) => ({ path, line, what: `names ${value.slice(0, 60)}` }));
  return [...imported, ...writtenPaths];
}

export const demoRules: readonly Rule[] = [srcIgnoresTheDemo, demoUsesNoRules];
