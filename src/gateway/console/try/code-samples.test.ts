import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { formatCurl, formatPython, formatTypescript, type SampleRequest } from './code-samples.ts';

const hostileText = `it's "quoted" $(touch /tmp/x) \`id\` \\ \u2028 中文`;
const postSample: SampleRequest = {
  capability: 'social',
  method: 'POST',
  baseUrl: 'http://127.0.0.1:4100',
  path: '/api/v1/capabilities/social',
  body: { platform: 'x', action: 'search', params: { keyword: hostileText } },
};
const getSample: SampleRequest = {
  capability: 'search',
  method: 'GET',
  baseUrl: 'http://127.0.0.1:4100',
  path: '/api/v1/search/engine/search',
  body: { q: hostileText },
};

/** Splits the command into words, like a shell. */
function splitWords(command: string): readonly string[] {
  const echoed = command.replace(/^curl/, `printf '%s\\0'`);
  const env = { GATEWAY_KEY: 'sk-test', PATH: '/usr/bin:/bin' };
  const output = execFileSync('sh', ['-c', `uuidgen() { echo 1; }; ${echoed}`], { env }).toString();
  return output.split('\0').slice(0, -1);
}

test('quotes input so that a shell does not interpret it', () => {
  expect(splitWords(formatCurl(postSample))).toEqual([
    'http://127.0.0.1:4100/api/v1/capabilities/social',
    '-H',
    'Authorization: Bearer sk-test',
    '-H',
    'Content-Type: application/json',
    '-H',
    'Idempotency-Key: 1',
    '-d',
    JSON.stringify(postSample.body),
  ]);
  expect(splitWords(formatCurl(getSample)).slice(-2)).toEqual([
    '--data-urlencode',
    `q=${hostileText}`,
  ]);
});

test('quotes input so that JavaScript reads it as data', () => {
  const sample = formatTypescript(postSample, 'http://127.0.0.1:4200');
  const [, literal = ''] = /social\(([\s\S]*)\);\nconsole/.exec(sample) ?? [];
  expect(JSON.parse(literal)).toEqual(postSample.body);
  expect(sample).not.toContain('\u2028');
  expect(formatTypescript(getSample, '')).toContain('gateway.search({');
});

test('quotes input so that Python reads it as data', () => {
  const program = formatPython(postSample).replace(
    /[\s\S]*json=([\s\S]*),\n\)[\s\S]*/,
    'import json\nprint(json.dumps($1))',
  );
  const output = execFileSync('python3', ['-c', program], { env: { PYTHONIOENCODING: 'utf-8' } });
  expect(JSON.parse(output.toString())).toEqual(postSample.body);
});
