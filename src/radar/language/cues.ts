// Cue words of corrections, periods, parts and bounds, from `editorial/digest/cues.json`: lists of
// regular expressions over folded, lower-case text.
import { z } from 'zod';
import file from '../../../editorial/digest/cues.json' with { type: 'json' };
import { assert } from '../../kernel/errors/assert.ts';

export const cuesFile = z.strictObject({
  cues: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/u), z.array(z.string().min(1)).min(1)),
});

const { cues } = cuesFile.parse(file);

/** One expression that matches any entry of the list `name`. */
export function cuePattern(name: string, flags = 'u'): RegExp {
  const list = cues[name];
  assert(list !== undefined, `editorial/digest/cues.json has no list ${name}`);
  return new RegExp(list.join('|'), flags);
}
