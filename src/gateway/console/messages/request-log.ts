// Messages about the log of requests and about sending again, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  request: 'Request',
  isOff: 'No request is kept, because the log of requests is off for your account.',
  expired:
    'The request is not kept: it is older than 24 hours, too long, or was made while the log ' +
    'was off.',
  relay:
    'The relay stores no conversations. A response is kept for 24 hours only if its request has ' +
    'an Idempotency-Key.',
  setting: 'Log of requests',
  redacted:
    'Secrets in this request were not stored, so the request cannot be sent again from here.',
  sendAgain: 'Send again',
  sendAgainFor: (price: string) => `Send again for ${price}`,
  sendAgainUpTo: (price: string) => `Send again for up to ${price}`,
  sendAgainAbout:
    'This is a new call with a new Idempotency-Key. It is charged at most the price on the button.',
  sendAgainFree: 'This is a new call with a new Idempotency-Key. It is free.',
  sendAgainTest: 'This is a new call in test mode with a new Idempotency-Key.',
  noKey: 'No active key of this mode may make this call.',
  unavailable: 'No capability of this service accepts this request any more.',
  resultOf: (requestId: string) => `A new call with the request of ${requestId}`,
  about:
    'Requests of capability calls are kept for 24 hours, like their responses. The page of a ' +
    'call shows both and can send the request again. Keys, passwords and tokens in a request are ' +
    'not stored. The relay stores no conversations.',
  on: 'Requests are kept.',
  switchOff: 'Keep no requests, and delete those that are kept',
  switchOn: 'Keep requests for 24 hours',
  done: { 'log-off': 'Requests are no longer kept.', 'log-on': 'Requests are kept from now on.' },
};

const zh: typeof en = {
  request: '请求',
  isOff: '您的账号已关闭请求日志，因此不保留请求内容。',
  expired: '没有保留这次请求：已超过 24 小时、内容过长，或当时日志已关闭。',
  relay: '中继不保存对话。只有带 Idempotency-Key 的请求，其响应才保留 24 小时。',
  setting: '请求日志',
  redacted: '其中的机密没有保存，因此不能在这里重新发送。',
  sendAgain: '重新发送',
  sendAgainFor: (price) => `重新发送，费用 ${price}`,
  sendAgainUpTo: (price) => `重新发送，费用不超过 ${price}`,
  sendAgainAbout: '这是一次新的调用，使用新的 Idempotency-Key，收费不超过按钮上的金额。',
  sendAgainFree: '这是一次新的调用，使用新的 Idempotency-Key，不收费。',
  sendAgainTest: '这是测试模式下的一次新调用，使用新的 Idempotency-Key。',
  noKey: '当前模式下没有可用于此调用的有效密钥。',
  unavailable: '本服务已没有可以接受此请求的能力。',
  resultOf: (requestId) => `按 ${requestId} 的内容重新发送的调用`,
  about:
    '能力调用的请求与其响应一样保留 24 小时，因此调用页会显示两者，并可重新发送。' +
    '其中的密钥、密码和令牌不会保存。中继不保存对话。',
  on: '正在保留请求。',
  switchOff: '不再保留请求，并删除已保留的内容',
  switchOn: '将请求保留 24 小时',
  done: { 'log-off': '不再保留请求。', 'log-on': '从现在起保留请求。' },
};

export const requestLogMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
