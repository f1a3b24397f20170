// File names: a noun or verb and noun, in kebab-case; no vague names such as `utils`.
import { isCode } from '../place.ts';
import { eachFile, type Rule } from '../rule.ts';

const vagueNames = /^(utils?|helpers?|managers?|commons?|misc|shared|lib|types|constants)$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const migration = /^\d{4}_[a-z0-9]+(_[a-z0-9]+)*\.sql$/;

const fileNamesDescribeContent: Rule = {
  name: 'file names describe their content',
  description:
    'Kebab-case; no vague word (utils, helper, manager, common, misc …), alone or in a name.',
  scope: (path) => isCode(path) || path.endsWith('.sql'),
  atLeast: 60,
  find: eachFile(({ path }) => {
    const what = nameFaultOf(path);
    return what ? [{ path, line: 1, what }] : [];
  }),
  violations: [
    { 'src/kernel/utils.ts': '' },
    { 'src/kernel/url-helpers.ts': '' },
    { 'src/radar/common/a.ts': '' },
    { 'src/radar/ranking/heatRules.ts': '' },
    { 'src/radar/ranking/Heat.ts': '' },
    { 'src/store/index.ts': '' },
    { 'migrations/2_Items.sql': '' },
  ],
  nearMisses: [
    { 'src/radar/ranking/rank-topics.ts': '', 'src/radar/ranking/rank-topics.test.ts': '' },
    { 'migrations/0001_radar.sql': '', 'tests/api/items/200.test.ts': '' },
    { 'packages/sdk/src/index.ts': '', 'src/radar/stories/index/story-index.ts': '' },
  ],
};

function nameFaultOf(path: string): string | null {
  const segments = path.split('/').filter((segment) => !segment.startsWith('.'));
  const file = segments.at(-1) ?? '';
  if (file.endsWith('.sql') && path.startsWith('migrations/')) {
    return migration.test(file) ? null : 'a migration is called 0001_what_it_does.sql';
  }
  if (!segments.every((segment) => kebab.test(segment))) return 'not in kebab-case';
  if (/^packages\/[^/]+\/src\/index\.ts$/.test(path)) return null;
  // `story-index` names an index of stories; a file called only `index` is refused.
  if (file.split('.')[0] === 'index') return '“index” does not describe the content';
  const words = segments
    .map((segment) => segment.split('.')[0] ?? '')
    .flatMap((segment) => segment.split('-'));
  const vagueWord = words.find((word) => vagueNames.test(word));
  return vagueWord ? `“${vagueWord}” does not describe the content` : null;
}

export const nameRules: readonly Rule[] = [fileNamesDescribeContent];
