import { describe, expect, it } from 'vitest';
import { readAgainstOptions } from './against-options.ts';

describe('the arguments of a comparison with a commit', () => {
  it('run all parts in five rounds when none is named', () => {
    const allParts = { commit: 'main', rounds: 5, parts: ['cached', 'uncached', 'charge', 'call'] };
    expect(readAgainstOptions(['--against', 'main'])).toEqual(allParts);
    expect(readAgainstOptions(['--against=main'])).toEqual(allParts);
  });

  it('select parts and the number of rounds, in any order', () => {
    const expected = { commit: 'HEAD~1', rounds: 3, parts: ['uncached', 'charge'] };
    expect(
      readAgainstOptions(['uncached', '--against', 'HEAD~1', 'charge', '--rounds', '3']),
    ).toEqual(expected);
  });

  it('are refused with a list of all their faults', () => {
    expect(readAgainstOptions(['--against', '--rounds', 'many', 'gateway'])).toEqual({
      faults: [
        'unknown: gateway; the parts are cached, uncached, charge, call',
        '--against needs a commit',
        '--rounds needs a whole number from 1 to 100',
      ],
    });
    expect(readAgainstOptions(['--against'])).toEqual({ faults: ['--against needs a commit'] });
  });
});
