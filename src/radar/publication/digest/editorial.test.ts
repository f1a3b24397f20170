// The digest's data is what its schemas say, and every expression in it compiles.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cuesFile } from '../../language/cues.ts';
import { attributesFile } from './attributes.ts';
import { aspectsFile, marksFile } from './pairs/context.ts';
import { causesFile } from './pairs/find-causes.ts';
import { oppositesFile } from './pairs/find-opposites.ts';
import { partsFile } from './pairs/find-roles.ts';
import { headsFile } from './pairs/head-noun.ts';
import { featureNames } from './pairs/pair-features.ts';
import { scopesFile } from './pairs/scopes.ts';
import { pairWeightsFile } from './pairs/weigh-pairs.ts';

const editorial = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../editorial/${path}`, import.meta.url), 'utf8'));

describe('editorial/digest', () => {
  it.each([
    ['attributes', attributesFile],
    ['causes', causesFile],
    ['heads', headsFile],
    ['cues', cuesFile],
    ['aspects', aspectsFile],
    ['marks', marksFile],
    ['opposites', oppositesFile],
    ['parts', partsFile],
    ['pair-weights', pairWeightsFile],
    ['scopes', scopesFile],
  ])('%s has the schema that stands in editorial/schemas', (name, shape) => {
    const schema = { ...z.toJSONSchema(shape), title: `editorial/digest/${name}.json` };
    expect(editorial(`schemas/digest-${name}.schema.json`)).toEqual(schema);
    expect(shape.safeParse(editorial(`digest/${name}.json`)).success).toBe(true);
  });

  it('weighs every feature of a pair, and nothing else', () => {
    const { weights } = pairWeightsFile.parse(editorial('digest/pair-weights.json'));
    expect(Object.keys(weights).sort()).toEqual([...featureNames].sort());
  });

  it('names every attribute once', () => {
    const { attributes } = attributesFile.parse(editorial('digest/attributes.json'));
    const names = attributes.map((attribute) => attribute.name);
    expect(names).toEqual([...new Set(names)]);
  });
});
