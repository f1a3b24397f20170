// The data of digests matches its schemas, and every regular expression compiles.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cuesFile } from '../../language/cues.ts';
import { textFaultsFile } from '../../language/text-faults.ts';
import { measuresFile } from './claims/measures.ts';
import { scopesFile } from './claims/scopes.ts';
import { unitsFile } from './contradictions/format-value.ts';

const editorial = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../editorial/${path}`, import.meta.url), 'utf8'));

describe('editorial/digest', () => {
  it.each([
    ['measures', measuresFile],
    ['scopes', scopesFile],
    ['units', unitsFile],
    ['cues', cuesFile],
    ['text-faults', textFaultsFile],
  ])('%s matches its schema in editorial/schemas', (name, shape) => {
    const schema = { ...z.toJSONSchema(shape), title: `editorial/digest/${name}.json` };
    expect(editorial(`schemas/digest-${name}.schema.json`)).toEqual(schema);
    expect(shape.safeParse(editorial(`digest/${name}.json`)).success).toBe(true);
  });

  it('names every measure once', () => {
    const { measures } = measuresFile.parse(editorial('digest/measures.json'));
    const names = measures.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
