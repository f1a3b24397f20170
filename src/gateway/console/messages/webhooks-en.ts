// English messages about webhooks and budgets. The type checks that the Chinese messages have the
// same keys.

export const webhooksEn = {
  webhooks: 'Webhooks',
  webhooksAbout:
    'Addresses of your servers that receive signed events. A failed delivery is retried for one ' +
    'day.',
  none: 'No address receives events yet. Add one below.',
  address: 'Address',
  deliveredEvents: 'Events',
  state: 'State',
  states: { on: 'on', off: 'off', gone: 'off, because the server returned 410' },
  add: 'Add an address',
  url: 'Address of your server',
  urlHelp: 'https, and reachable from the internet. http://localhost is accepted for tests.',
  events: 'Events to receive',
  eventNames: {
    'job.finished': 'A job has ended',
    'balance.low': 'The balance has fallen below your limit',
    'budget.reached': 'A key’s budget is spent to 80 or 100 percent',
    test: 'A test',
  } as Readonly<Record<string, string>>,
  problems: {
    url: 'This is not a valid address: it begins with https:// and names a host.',
    port: 'The port must be 443 or 8443.',
    https: 'The address must begin with https://, so that messages are encrypted.',
    events: 'Choose at least one event.',
  },
  known:
    'This address is in the list already. Its secret was shown when it was added. You can create ' +
    'a new secret on the page of the address.',
  tooMany: (max: number) => `There are ${max} addresses already. Remove one first.`,
  secretTitle: 'The secret of this address',
  secretAbout:
    'The secret is shown only once. Your server uses it to verify that a message comes from ' +
    'this installation, by Standard Webhooks: HMAC-SHA256 over webhook-id, webhook-timestamp ' +
    'and the body.',
  secretKept: 'I have stored it',
  copy: 'Copy',
  copied: 'Copied',
  settings: 'Settings',
  isOn: 'Receives events',
  save: 'Save',
  newSecret: 'New secret',
  newSecretAbout:
    'For one day, messages are signed with both secrets, so that your server can verify them all.',
  sendTest: 'Send a test',
  remove: 'Remove this address',
  removeAbout: 'The address receives no more events, and its list of deliveries is deleted.',
  deliveries: 'Deliveries',
  noDeliveries: 'No deliveries yet. A test shows whether the address can be reached.',
  what: 'What',
  when: 'When',
  outcome: 'Outcome',
  delivered: (tries: number) => (tries === 1 ? 'received' : `received at try ${tries}`),
  waiting: (tries: number) =>
    tries === 0 ? 'being sent' : `not received after ${tries} of 8 tries`,
  failed: (tries: number) => `not received after ${tries} ${tries === 1 ? 'try' : 'tries'}`,
  nextTry: 'Next try:',
  again: 'Send again',
  message: 'Message',
  older: 'Older',
  newest: 'Newest',
  conflict:
    'The values were changed meanwhile. The current values are below; your change was not saved.',
  budgets: 'Budgets',
  budgetsAbout: 'How much of its budget each key has spent, and when you are warned.',
  noBudgets: 'No key has a budget. You set a budget when you create or edit a key.',
  toKeys: 'Keys',
  key: 'Key',
  period: 'Period',
  periods: { day: 'each day', month: 'each month', total: 'in total' },
  spent: 'Spent',
  of: 'of',
  balanceLine: 'When the balance runs low',
  balanceAbout:
    'Vouchers and cash together, checked twice a minute. An alert is sent once. The next alert ' +
    'is sent when the balance has risen above your limit and falls below it again.',
  below: 'Alert below',
  belowHelp: 'In CNY. If the field is empty, no alert is sent.',
  belowProblem: 'Enter an amount above zero in CNY, such as 20 or 7.50, or leave the field empty.',
  lowSince: 'Below this amount since',
  noRecipients: 'No alert is sent yet: enable mails below, or add an address under',
  byMailAbout: (address: string) =>
    `When the balance falls below your limit, or a key’s budget is spent to 80 or 100 percent, a ` +
    `mail goes to ${address}.`,
  mailAlerts: 'Mail me alerts',
  byMailNone:
    'This installation sends no mail. A webhook can notify your server or a chat instead.',
  byMailWaits: 'Your address is not confirmed yet; no mail is sent before the confirmation.',
  done: {
    saved: 'Saved.',
    removed: 'The address was removed.',
    test: 'A test is being sent. Its outcome is in the list below.',
    again: 'The message is being sent again.',
  },
};

export type WebhookMessages = Omit<
  typeof webhooksEn,
  'states' | 'periods' | 'problems' | 'done'
> & {
  readonly states: Readonly<Record<keyof typeof webhooksEn.states, string>>;
  readonly periods: Readonly<Record<keyof typeof webhooksEn.periods, string>>;
  readonly problems: Readonly<Record<keyof typeof webhooksEn.problems, string>>;
  readonly done: Readonly<Record<keyof typeof webhooksEn.done, string>>;
};
