// English messages of the gateway's admin pages. The type checks that the Chinese messages have the
// same keys.

const number = new Intl.NumberFormat('en');
const formatCount = (count: number, singular: string, plural: string) =>
  `${number.format(count)} ${count === 1 ? singular : plural}`;
const formatValue = (value: string | number) =>
  typeof value === 'number' ? number.format(value) : value;

export const en = {
  areaName: 'Operators',
  skip: 'Skip to the content',
  navigation: 'Sections of the operator area',
  sections: {
    overview: 'Overview',
    revenue: 'Revenue',
    accounts: 'Accounts',
    'top-ups': 'Top-ups',
    vouchers: 'Vouchers',
    invitations: 'Invitations',
    prices: 'Prices',
    providers: 'Providers',
    jobs: 'Jobs',
    chat: 'Chat',
    ledger: 'Ledger',
    operators: 'Operators',
    audit: 'Audit',
  },
  times: 'Times are in the time zone Asia/Shanghai.',
  signOut: 'Sign out',
  signedInAs: (name: string) => `Signed in as ${name}`,
  profile: 'Your profile',
  toConsole: 'To the console',
  toRadarAdmin: 'To the radar’s operator area',
  toStart: 'To the operator area',
  done: {
    credit: 'Done: the amount is in the journal, and in the balance.',
    voucher: 'The voucher is issued and is spent before cash.',
    refund: 'Refunded.',
    look: 'Synced with the provider. This is the current state.',
    forgive: 'Forgiven: the account has no debt for this payment.',
    close: 'Closed: the payment will not be credited.',
    limits: 'Saved. Every node applies it within a second.',
    suspend: 'Suspended: its keys return 403 within a second, and all its sessions are ended.',
    resume: 'Resumed: its keys work again within a second.',
    delete: 'Deleted: personal data are erased, and its keys return 401 within a second.',
    withdraw: 'Withdrawn: the codes of this batch can no longer be redeemed.',
    codesAgain:
      'This form was already sent, so no codes were created. Codes are shown once; if they are ' +
      'lost, withdraw them and create new ones.',
    takeBack: 'Revoked: the code cannot be used for sign-up.',
    plan: 'Planned. Every node uses the list from its start on; running calls keep their price.',
    callOff: 'Canceled: the price list will not take effect.',
    tooLate: 'It was too late, so nothing was changed.',
    cap: 'Saved. The cap applies from the next allowance on.',
    switchOff: 'Switched off. Every node applies the switch within a second.',
    switchOn: 'Switched on. Every node applies the switch within a second.',
    cancel: 'Canceled. The amount held for the job is available again.',
    prove: 'The next free worker checks the ledger. This page shows the progress.',
  },
  cancel: 'Cancel',
  save: 'Save',
  search: 'Search',
  older: 'Older',
  refresh: 'Refresh',
  asOf: 'As of',
  everything: 'Everything',
  facts: 'Facts',
  id: 'Id',
  note: 'Note',
  condition: 'Status',
  what: 'What',
  who: 'Who',
  at: 'When',
  beforeAfter: 'Before and after',
  since: 'Since',
  until: 'until',
  from: 'from',
  made: 'Made',
  madeBy: 'By',
  total: 'Total',
  number: 'No.',
  copy: 'Copy',
  copied: 'Copied',
  of: (part: string | number, all: string | number) =>
    `${formatValue(part)} of ${formatValue(all)}`,
  ago: (span: string) => `${span} ago`,
  lastDays: (days: number) => `${days} days`,
  reason: 'Reason',
  reasonHelp: 'Stored in the audit log for other operators.',
  reasonMissing: 'Give a short reason.',
  formUnknown: 'This form is not from a page of this installation. Load the page again.',
  tooLong: (max: number) => `At most ${max} characters.`,
  numberWrong: (min: number, max: number) =>
    `A whole number from ${formatValue(min)} to ${formatValue(max)}.`,
  nameWrong: (max: number) => `A name of 1 to ${max} characters.`,
  daysWrong: (max: number) => `A whole number of days from 1 to ${max}.`,

  overviewTitle: 'State of the gateway',
  needsAttention: 'Needs attention',
  nothingNeeded: 'Nothing. The ledger is consistent, and every capability is configured and works.',
  notSetUp: (names: string) => `Not set up: ${names}`,
  checkIsOld: 'The ledger was not checked for two days. Check that a worker runs.',
  longHolds: (count: number) =>
    `${formatCount(count, 'call has', 'calls have')} held money for more than half an hour`,
  offNow: (name: string) => `${name} is switched off`,
  pausedNow: (name: string) => `${name} fails and is paused`,
  lastChanges: 'Latest changes',
  currentState: 'Current state',
  ledgerChecked: 'Ledger',
  chargedSoFar: 'Charged so far',
  pricesOf: 'Prices',
  nextPrices: 'Next prices',
  jobsOpen: 'Unfinished jobs',

  accountsAbout: ({
    all,
    suspended,
    deleted,
  }: {
    all: number;
    suspended: number;
    deleted: number;
  }) =>
    `${formatCount(all, 'account', 'accounts')}, ` +
    `${suspended === 0 ? 'none suspended' : `${suspended} suspended`}` +
    `${deleted === 0 ? '' : `; ${deleted} deleted`}.`,
  searchAccounts: 'Address or id',
  everyone: 'All',
  noAccounts: 'No account matches.',
  account: 'Account',
  accountStatuses: { active: 'active', suspended: 'suspended', deleted: 'deleted' },
  callsThisMonth: 'Calls this month',
  callsToday: 'Calls today',
  isSuspended: 'This account is suspended: its keys return 403, and sign-in is blocked.',
  isDeleted:
    'This account is deleted: personal data are erased, and its keys return 401. The ledger ' +
    'keeps its amounts. Payments can still be refunded at the provider.',
  live: 'Live',
  test: 'Test',
  mode: 'Mode',
  keys: 'Keys',
  key: 'Key',
  noKeys: 'No key in this mode.',
  keyEnded: 'ended',
  keyWorks: 'works',
  rateOfKey: 'Rate',
  rateOfKeys: 'Rate of each key',
  rate: (perSecond: number, burst: number) =>
    `${formatValue(perSecond)} a second, ${formatValue(burst)} at once`,
  asAccount: 'rate of the account',
  lastUsed: 'Last used',
  lastCalls: 'Last calls',
  allCalls: 'All calls',
  callsOf: (email: string) => `Calls of ${email}`,
  noCalls: 'No call in this mode yet.',
  call: 'Call',
  callAbout:
    'Requests and responses belong to the account and are not shown here. The account sees ' +
    'them in its console.',
  capability: 'Capability',
  outcome: 'Outcome',
  callStates: {
    held: 'running',
    unknown: 'not known yet',
    captured: 'succeeded',
    released: 'failed, not charged',
    expired: 'expired, not charged',
  },
  begun: 'Began',
  ended: 'Ended',
  suspend: 'Suspend',
  resume: 'Resume',
  suspendOf: (email: string) => `Suspend ${email}`,
  resumeOf: (email: string) => `Resume ${email}`,
  suspendAbout: [
    'Within a second every key of the account returns 403 on every node, and every session at ' +
      'the console ends.',
    'Running calls are completed and charged. The balances do not change. The account can ' +
      'be resumed at any time.',
  ],
  resumeAbout: [
    'The keys of the account work again within a second. Its money and its limits are unchanged.',
  ],
  deleteAccount: 'Delete',
  deleteOf: (email: string) => `Delete ${email}`,
  deleteAbout: [
    'Erases the address, password, keys’ names, sessions, security log, requests, responses, ' +
      'jobs and webhooks in one step, permanently. Only an owner may do this, and only when the ' +
      'customer has requested it.',
    'The ledger keeps amounts, times and ids. Paid money stays there and can be refunded at the ' +
      'payment provider afterwards; vouchers are lost.',
    'The reason is kept in the audit log, so it must not name the person.',
  ],
  deleteLeft: (cash: string, vouchers: string, owed: string) =>
    `Remaining: ${cash} of paid money, ${vouchers} in vouchers, ${owed} of debt.`,
  deleteConfirm: (id: string) => `Type ${id} to confirm`,
  deleteWrongId: 'This is not the id of this account.',
  deleteMoreMoney: 'The money of the account changed meanwhile. Look at the amounts again.',
  setLimits: 'Limits',
  limitsOf: (email: string) => `Limits of ${email}`,
  limitsAbout:
    'An empty field uses the value of the installation. Every node applies a change within a ' +
    'second; earlier calls count too.',
  limitNames: {
    callsPerDay: 'Calls a day',
    callsPerMonth: 'Calls a month',
    perSecond: 'Requests a second, of each key',
    burst: 'Requests at once, of each key',
  },
  installationDefault: (value: number) =>
    `Empty: ${formatValue(value)}, the value of the installation.`,
  bothOrNone: 'Fill in both fields of the rate, or neither.',
  rateOf: (key: string) => `Rate of the key “${key}”`,
  keyRateAbout:
    'Only for this key. Empty fields: the key has the rate of its account, or the rate of the ' +
    'installation if the account has none.',

  invitationsAbout: 'Codes for sign-up by invitation. Each code works once.',
  invitation: 'Code',
  noInvites: 'No invitation was made yet.',
  makeInvites: 'Make invitations',
  makeInvitesAbout: [
    'Each code lets one person sign up. The codes are shown once, on the next page; only their ' +
      'hashes are kept.',
  ],
  inviteDays: 'Days that the codes are valid',
  inviteNoteHelp: 'The recipient; only operators see this.',
  inviteStates: { open: 'open', used: 'used', revoked: 'revoked', expired: 'expired' },
  takeBack: 'Revoke',

  providersAbout:
    'Providers of each capability, as each process reports them. A switch applies on every node ' +
    'within a second.',
  chatRelay: 'Chat relay',
  capabilityNames: {} as Readonly<Record<string, string>>,
  needsEntry: (setting: string) => `Needs an entry in ${setting}.`,
  noUpstreams: 'Chat needs an entry in relay.upstreams.',
  provider: 'Provider',
  node: 'Process',
  lastSuccess: 'Last success',
  lastFailure: 'Last failure',
  requests: 'Requests',
  failed: (count: number) => `${count} failed`,
  latency: 'Latency',
  notReported: 'No process has reported yet.',
  circuits: { closed: 'in use', open: 'paused', half_open: 'retrying', off: 'switched off' },
  switchOff: 'Switch off',
  switchOn: 'Switch on',
  switchOffOf: (name: string) => `Switch off ${name}`,
  switchOnOf: (name: string) => `Switch on ${name}`,
  switchOffAbout: {
    capability: [
      'Within a second every call of this capability, live or test, returns 503 ' +
        'capability_unavailable on every node. Nothing is charged and nothing is run; the ' +
        'catalog shows the capability as not healthy.',
      'Running calls are completed. Queued jobs wait until the capability is switched on, ' +
        'or until they expire.',
    ],
    provider: [
      'Within a second no node sends requests to this provider, for any capability. ' +
        'Other providers are used instead; where there is none, calls return ' +
        '503 capability_unavailable and nothing is charged.',
      'Running requests are completed. Videos in progress are checked again ' +
        'when the provider is switched on.',
    ],
  },
  switchOnAbout: ['Within a second every node uses it again.'],
  switchStates: { off: 'off', on: 'on' },
  isOff: 'Switched off',

  jobsAbout: 'Calls that run in the background after their first response, of every account.',
  noJobsYet: 'No job was started yet.',
  noJobs: 'No job matches.',
  job: 'Job',
  jobStates: {
    accepting: 'being accepted',
    queued: 'queued',
    running: 'running',
    succeeded: 'succeeded',
    failed: 'failed',
    expired: 'expired',
    canceled: 'canceled',
  },
  jobAbout: 'The request and the result belong to the account and are not shown here.',
  lastChange: 'Last change',
  endsAtLatest: 'Deadline',
  error: 'Error',
  cancelJob: 'Cancel the job',
  cancelJobAbout: [
    'The job ends as canceled, and the amount held for it is available again. The ' +
      'provider receives a request to stop, where it supports one.',
    'This cannot be undone. A new job can be created.',
  ],

  chatAbout: 'Live calls of the chat relay in tokens, as upstreams count them.',
  chatGroups: { model: 'Model', day: 'Day', account: 'Account', key: 'Key' },
  noChat: 'The chat relay was not used in this period.',
  calls: 'Calls',
  finished: 'Finished',
  promptTokens: 'Prompt tokens',
  completionTokens: 'Completion tokens',
  estimated: (count: number) => `${count} estimated`,

  auditAbout: 'Every change in this operator area, newest first.',
  noAudit: 'No change was made here yet.',
  onlyAbout: (subject: string) => `Only changes to ${subject}.`,
  changesMade: 'What was done',
  wholeAuditLog: 'The whole audit log',
  auditKinds: {
    account: 'Accounts',
    key: 'Keys',
    call: 'Calls',
    top_up: 'Top-ups',
    prices: 'Prices',
    allowance: 'Allowance',
    capability: 'Capabilities',
    provider: 'Providers',
    voucher_batch: 'Vouchers',
    invitation: 'Invitations',
    job: 'Jobs',
    ledger: 'Ledger',
    operator: 'Operators',
  },
  actions: {
    credit: 'credited',
    top_up: 'credited a payment',
    voucher: 'gave a voucher',
    refund: 'refunded',
    look: 'synced with the provider',
    forgive: 'forgave a debt',
    close: 'closed',
    suspend: 'suspended',
    delete: 'deleted',
    resume: 'resumed',
    limits: 'set limits',
    key_rate: 'set the rate of a key',
    make: 'made',
    withdraw: 'withdrew',
    take_back: 'revoked',
    plan: 'planned prices',
    call_off: 'canceled planned prices',
    propose: 'proposed prices',
    cap: 'set the cap',
    switch_off: 'switched off',
    switch_on: 'switched on',
    cancel: 'canceled',
    prove: 'requested an integrity check',
    invite: 'invited',
    role: 'changed the role',
    factor_off: 'switched one-time codes off',
    factor_on: 'switched one-time codes on',
    recovery_codes: 'made new recovery codes',
    end_sessions: 'ended the other sessions',
    password: 'changed the password',
    accept: 'accepted the invitation',
  } as Readonly<Record<string, string>>,
};
