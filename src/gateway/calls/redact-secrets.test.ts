import { expect, test } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

test('redacts keys, passwords in addresses and parameters with secret names', () => {
  const call = {
    prompt: `use sk-test-${'a2'.repeat(19)} for it`,
    image_urls: ['https://ann:pass@cdn.example/a.png?size=2&X-Amz-Signature=abc&access_token=x#y'],
    api_key: 'k',
    count: 5,
    nested: [{ Secret: 'x', keyword: 'tokens of the day' }],
  };
  expect(redactSecrets(call)).toEqual({
    prompt: 'use [redacted] for it',
    image_urls: [
      'https://[redacted]@cdn.example/a.png?size=2&X-Amz-Signature=[redacted]' +
        '&access_token=[redacted]#y',
    ],
    api_key: '[redacted]',
    count: 5,
    nested: [{ Secret: '[redacted]', keyword: 'tokens of the day' }],
  });
});

test('leaves text without secrets unchanged', () => {
  const call = {
    platform: 'youtube',
    params: { url: 'https://youtu.be/x?t=1', key: null },
    n: [1],
  };
  expect(redactSecrets(call)).toEqual(call);
});
