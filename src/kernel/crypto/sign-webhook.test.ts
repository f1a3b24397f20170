import { expect, test } from 'vitest';
import { formatWebhookSecret, signWebhook } from './sign-webhook.ts';

// The example of the standard's own reference libraries.
const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const payload = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: 1_614_265_330_000,
  body: '{"test": 2432232314}',
};

test('signs like the reference libraries', () => {
  expect(signWebhook(payload, [secret])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('adds one signature per secret', () => {
  const signatures = signWebhook(payload, [Buffer.alloc(32, 1), secret])['webhook-signature'];
  expect(signatures?.split(' ')).toEqual([
    signWebhook(payload, [Buffer.alloc(32, 1)])['webhook-signature'],
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ]);
});

test('writes a secret with its prefix', () => {
  expect(formatWebhookSecret(secret)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
});
