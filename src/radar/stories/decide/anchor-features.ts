// Who, how much, which version, when, what was done: shared by two items, or said differently.
import type { Memory } from '../memory/memory.ts';
import { sectionAt } from '../memory/shelf.ts';
import { contained, countShared, overlap, type Run, scaled } from './overlap.ts';

export const anchorFeatureNames = [
  'entityShared',
  'entityConflict',
  'nameCosine',
  'nameContained',
  'nameMass',
  'nameNone',
  'titleNamesLeast',
  'titleNamesMost',
  'titleNamesNone',
  'crossNames',
  'crossFigures',
  'crossAction',
  'crossNumber',
  'figureShared',
  'figureConflict',
  'allFigureShared',
  'allFigureContained',
  'versionShared',
  'versionConflict',
  'versionElsewhere',
  'numberShared',
  'dayShared',
  'dayConflict',
  'editionConflict',
  'linkShared',
  'actionMain',
  'actionShared',
  'actionConflict',
  'actionUnknown',
  'otherActor',
] as const;
export type AnchorFeature = (typeof anchorFeatureNames)[number];

type SectionName = keyof typeof sectionAt;

export function anchorFeatures(
  memory: Memory,
  a: number,
  b: number,
  set: (name: AnchorFeature, value: number) => void,
): void {
  const { shelf, titleWeight, leadWeight } = memory;
  const block = shelf.block();
  const run = (slot: number, name: SectionName): Run => ({
    from: shelf.start(slot, sectionAt[name]),
    to: shelf.end(slot, sectionAt[name]),
  });
  const compare = (left: Run, right: Run) => ({
    shared: countShared(block, left, right),
    both: left.to > left.from && right.to > right.from,
  });
  const count = (name: SectionName) => compare(run(a, name), run(b, name));
  const isConflict = ({ shared, both }: { shared: number; both: boolean }) => both && shared === 0;
  const flag = (value: boolean) => (value ? 1 : 0);

  const entities = count('entities');
  set(
    'entityShared',
    scaled(overlap(block, run(a, 'entities'), run(b, 'entities'), titleWeight).mass),
  );
  set('entityConflict', flag(isConflict(entities)));
  const names = overlap(block, run(a, 'names'), run(b, 'names'), leadWeight);
  const namesShared = count('names');
  set('nameCosine', names.cosine);
  set('nameContained', names.contained);
  set('nameMass', scaled(names.mass));
  set('nameNone', flag(isConflict(namesShared)));
  const inOther = [
    [a, b],
    [b, a],
  ].map(([one = 0, other = 0]) =>
    contained(block, run(one, 'titleNames'), run(other, 'names'), leadWeight),
  );
  const known = inOther.filter((part) => part !== null);
  set('titleNamesLeast', known.length === 0 ? 0.5 : Math.min(...known));
  set('titleNamesMost', known.length === 0 ? 0.5 : Math.max(...known));
  set('titleNamesNone', flag(isConflict(count('titleNames'))));
  const figures = count('figures');
  set('figureShared', Math.min(2, figures.shared) / 2);
  set('figureConflict', flag(isConflict(figures)));
  const all = overlap(block, run(a, 'allFigures'), run(b, 'allFigures'), leadWeight);
  set('allFigureShared', scaled(all.mass));
  set('allFigureContained', all.contained);

  versionFeatures([a, b], run, compare, set);
  const days = count('days');
  set('dayShared', flag(days.shared > 0));
  set('dayConflict', flag(isConflict(days)));
  set('editionConflict', flag(isConflict(count('editions'))));
  set('linkShared', flag(count('links').shared > 0));
  const actions = count('actions');
  set('actionMain', flag(actions.both && count('mainAction').shared > 0));
  set('actionShared', flag(actions.shared > 0));
  set('actionConflict', flag(isConflict(actions)));
  set('actionUnknown', flag(!actions.both));
  set('otherActor', flag(actions.shared > 0 && isConflict(count('titleNames'))));
  if (memory.script(a) === memory.script(b)) return;
  set('crossNames', names.contained);
  set('crossFigures', all.contained);
  set('crossAction', flag(count('mainAction').shared > 0));
  set('crossNumber', flag(count('numbers').shared > 0));
}

type Runs = (slot: number, name: SectionName) => Run;
type Compare = (left: Run, right: Run) => { readonly shared: number; readonly both: boolean };

/** One product in two versions is two events, unless a text speaks of both. */
function versionFeatures(
  [a, b]: readonly [number, number],
  run: Runs,
  compare: Compare,
  set: (name: AnchorFeature, value: number) => void,
): void {
  const flag = (value: boolean) => (value ? 1 : 0);
  const count = (name: SectionName) => compare(run(a, name), run(b, name));
  const versions = count('versions');
  const families = count('families');
  set('versionShared', flag(versions.shared > 0));
  set('versionConflict', flag(families.shared > 0 && versions.shared === 0));
  const elsewhere = [
    [a, b],
    [b, a],
  ].filter(([one = 0, other = 0]) => {
    const family = compare(run(one, 'families'), run(other, 'allFamilies'));
    const version = compare(run(one, 'versions'), run(other, 'allVersions'));
    return family.shared > 0 && version.shared === 0;
  });
  set('versionElsewhere', elsewhere.length / 2);
  set('numberShared', flag(count('numbers').shared > 0));
}
