// The console in English: its frame, the way in, keys and the account. The other language has the
// same words, checked by the type of these.

export const en = {
  console: 'Console',
  skip: 'Skip to the content',
  navigation: 'Sections of the console',
  sections: {
    '/console': 'Start',
    '/console/keys': 'Keys',
    '/console/wallet': 'Wallet',
    '/console/transactions': 'Transactions',
    '/console/calls': 'Calls',
    '/console/usage': 'Usage',
    '/console/catalog': 'Catalog',
    '/console/webhooks': 'Webhooks',
    '/console/budgets': 'Budgets',
    '/console/account': 'Account',
  } as Readonly<Record<string, string>>,
  testBar: 'Test mode. Nothing here costs money or reaches a provider.',
  mode: 'Which books are shown',
  live: 'Live',
  test: 'Test',
  otherLanguage: '中文',
  toRadar: 'To the radar',
  toConsole: 'To the console',
  times: 'Times are Asia/Shanghai.',
  signedInAs: 'Signed in as',
  signIn: 'Sign in',
  signOut: 'Sign out',
  email: 'E-mail address',
  password: 'Password',
  signInProblems: {
    wrong: 'The e-mail address or the password is not right.',
    suspended: 'This account is suspended. Whoever runs this installation can say why.',
    stale: 'This form was too old, so nothing was done with it. Please send it again.',
    ended: 'Your session has ended, so nothing was changed. Please sign in and do it again.',
  },
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  start: 'Start',
};
