// English messages of the console: layout, sign-in, keys and account. The type of this object
// checks that the Chinese messages have the same keys.

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
  mode: 'Mode',
  live: 'Live',
  test: 'Test',
  otherLanguage: '中文',
  toRadar: 'To the radar',
  toConsole: 'To the console',
  times: 'Times are in the time zone Asia/Shanghai.',
  signedInAs: 'Signed in as',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signInProblems: {
    wrong: 'The e-mail address or the password is not right.',
    suspended:
      'This account is suspended. Please ask the operator of this installation for the reason.',
    stale: 'This form has expired and was not processed. Please send it again.',
    sign_in_too_old:
      'This action needs a sign-in within the last ten minutes. Nothing was changed yet: sign ' +
      'in, and confirm the action on the next page.',
    ended: 'Your session has ended, so nothing was changed. Sign in to return to the form.',
  },
  staleTitle: 'Nothing was changed',
  staleAbout:
    'This form belongs to an earlier session and was not processed. Go back to it ' +
    'and send it again.',
  staleBack: 'Back to the form',
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  email: 'E-mail address',
  password: 'Password',
  forgot: 'Forgotten your password?',
  noAccountYet: 'No account yet?',
  signUp: 'Sign up',
  haveAccount: 'Do you have an account?',
  tooOld: 'This form has expired and was not processed. Please send it again.',
  code: 'One-time code',
  codeTitle: 'One more step',
  codeAbout: 'Your password is correct. Enter the six digits that your authenticator app shows.',
  codeHelp: 'Or a recovery code, if you do not have your phone.',
  codeWrong: 'This code is wrong, expired or already used.',
  newPassword: 'New password',
  passwordHelp: 'At least 10 characters that are hard to guess: four words, for example.',
  emailMalformed: 'This is not an e-mail address. A valid one looks like ada@example.com.',
  signUpAbout: 'An account has its own keys, its own wallet, and a separate test mode.',
  invite: 'Invitation code',
  inviteHelp: 'The operator of this installation gives you the code.',
  inviteUnknown: 'This code is unknown, already used or expired.',
  signUpTaken: 'No account can be made with this address. If it is yours, sign in instead.',
  signUpClosed: 'Sign-up is closed at the moment.',
  signUpClosedAbout:
    'The operator of this installation creates accounts: npx radar account add <e-mail address>',
  proofRuns:
    'Your browser solves a small task that prevents automatic sign-ups. It takes a few seconds.',
  proofInvalid: 'This form was open for too long, or was sent before. Please send it again.',
  proofMissing:
    'To sign up here, your browser must run the script of this page, which solves a small task. ' +
    'If the script cannot run, ask the operator for an account.',
  proofSlow: 'Without scripts, the mail with the link is sent ten minutes later.',
  lateMail: 'Your browser ran no script, so the mail is sent in ten minutes.',
  signUpMany: (wait: string) =>
    `Too many accounts were created from your network. Try again in ${wait}.`,
  minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
  checkMail: 'Check your mail',
  checkMailAbout:
    'We sent a mail to the address that you entered. The link in the mail confirms that the ' +
    'address is yours. Live keys and the daily allowance are available after the confirmation. ' +
    'You can sign in at once and work in test mode.',
  inbox: 'This is a demonstration. Its mails are delivered only here:',
  mailMissing: 'No mail? Look in the junk folder, or sign up again with the same address.',
  verify: 'Confirm your address',
  verifyAbout: 'Press the button to activate live keys and the daily allowance.',
  verifyPasswordAbout:
    'Choose a password to confirm the address, because this is not the browser that signed up. ' +
    'The earlier password stops working, every session ends, and earlier keys are deleted, in ' +
    'case another person used your address.',
  verifyKeep: 'You signed up yourself, and want to keep your password and keys?',
  linkInvalid: 'This link is no longer valid',
  linkInvalidAbout:
    'The link was already used, has expired, or was replaced. Request another link, and use the ' +
    'newest link.',
  linkOfOther: 'The link of another account',
  linkOfOtherAbout:
    'The link took effect in the account that it was sent for. This browser is still signed in ' +
    'with its own account, which is unchanged.',
  newAddressOfOther:
    'The link belongs to another account than the one of this browser. Nothing was changed. Sign ' +
    'out, open the link again, and sign in to the account that gets the new address.',
  resetTitle: 'A new password',
  resetAbout: 'We send a link to the address of your account. The link works once, within an hour.',
  resetSend: 'Send the link',
  resetSent: 'Check your mail',
  resetSentAbout:
    'If that address has an account, a mail with a link was sent to the address. The link ' +
    'works once, within an hour.',
  resetNoMail: 'This installation sends no mail',
  resetNoMailAbout:
    'Its operator can give you a new password: npx radar account password <e-mail address>',
  resetNew: 'Choose a new password',
  resetNewAbout: 'All other sessions end.',
  savePassword: 'Save the password',
  askAgain: 'Request another link',
  done: {
    verified: 'Your address is confirmed.',
    reset: 'The new password is set. Sign in with it.',
    password: 'The password is changed, and every other session is signed out.',
    mail: 'Another mail was sent, unless several were sent a moment ago.',
    ended: 'That session is signed out.',
    others: 'Every other session is signed out.',
    totpOff: 'One-time codes are off: you sign in with your password only.',
    revoked: 'Revoked. Within a second every node refuses the key.',
    keySaved: 'Saved. Every node applies the change within a second.',
    addressRequested:
      'We sent a mail to the new address. Nothing changes until the link in the mail is opened.',
    addressKept: 'The address is unchanged; the link in the mail is no longer valid.',
    deleted: 'The account is deleted. Its keys are no longer valid.',
    addressChanged: 'The address is changed. Sign in with it from now on.',
  },
  awaits: (email: string) =>
    `${email} is not confirmed yet. Live keys and the daily allowance are available after the ` +
    'confirmation; until then everything works in test mode.',
  awaitsOperator: (email: string) =>
    `${email} is not confirmed yet. This service sends no mail: ask its operator to confirm the ` +
    'address. Live keys and the daily allowance are available after the confirmation; until then ' +
    'everything works in test mode.',
  sendAgain: 'Send the mail again',
  account: 'Account',
  accountAbout: 'Your sign-in settings and your sessions.',
  address: 'Address',
  confirmed: 'confirmed',
  changeAddress: 'Change the address',
  changeAddressAbout: {
    mail:
      'We send a link to the new address and a notice to the current one. The address changes ' +
      'when the link is opened.',
    noMail:
      'This installation sends no mail, so the new address cannot be confirmed. The address of ' +
      'the account changes at once: check the spelling.',
  },
  newAddress: 'New address',
  addressSame: 'This account already has that address.',
  addressTaken:
    'This address cannot be used. If the address is yours, you have another account with it.',
  addressRequested: (address: string, until: string) =>
    `The change to ${address} awaits confirmation. The link in the mail works until ${until}.`,
  keepAddress: 'Keep the current address',
  newAddressTitle: 'Your new address',
  newAddressAbout: 'Press the button to give your account the address that received this link.',
  newAddressUse: 'Use the new address',
  newAddressTaken: 'This address has an account of its own',
  newAddressTakenAbout:
    'That account was created after your request. Your account keeps its current address.',
  notConfirmed: 'not confirmed',
  currentPassword: 'Current password',
  passwordWrong: 'This password is wrong.',
  changePassword: 'Change the password',
  changePasswordAbout: 'Every other session is signed out.',
  totp: 'One-time codes',
  totpOffState: 'Off. A code from your phone, in addition to the password, protects the account.',
  totpOnState: (remaining: number) =>
    `On. ${remaining} recovery ${remaining === 1 ? 'code is' : 'codes are'} left, for use ` +
    'without your phone.',
  totpSetUp: 'Set up one-time codes',
  totpSetUpAbout:
    'Scan this code with an authenticator app (any app works), then type the six digits that ' +
    'it shows.',
  totpImage: 'QR code for an authenticator',
  totpByHand: 'No camera? Type this secret instead:',
  totpSwitchOn: 'Switch on',
  totpSwitchOff: 'Switch off',
  totpSwitchOffAbout: 'Afterwards you sign in with your password only.',
  totpOnAlready: 'One-time codes are on already. Switch them off first to set them up anew.',
  recoveryTitle: 'Your recovery codes',
  recoveryAbout:
    'Each recovery code replaces a one-time code once, for example when you lose your phone. The ' +
    'recovery codes are shown only now: store them in a safe place.',
  recoveryNew: 'New recovery codes',
  recoveryNewAbout: 'The old recovery codes stop working.',
  recoveryKept: 'I have stored them',
  copy: 'Copy',
  copied: 'Copied',
  sessions: 'Where you are signed in',
  thisSession: 'this browser',
  browser: 'Browser',
  unknownBrowser: 'Unknown browser',
  network: 'Network',
  since: 'Signed in',
  seen: 'Last seen',
  endSession: 'Sign out',
  endOthers: 'Sign out everywhere else',
  keys: 'Keys',
  keysAbout:
    'Your programs use these keys to make calls. A key is shown once, when it is created; ' +
    'afterwards only its beginning and end are shown.',
  keysTestAbout: 'Test keys: separate balances, invented responses, nothing charged.',
  newSk: 'Create an API key',
  newAk: 'Create an Agent key',
  kinds: {
    sk: 'API key: social data, transcription, OCR, images and videos',
    ak: 'Agent key: chat, models and web search',
  },
  kindNames: { sk: 'API key', ak: 'Agent key' },
  noKeys: 'No keys yet',
  noKeysAbout:
    'Create one to make your first call. An API key calls capabilities; an Agent ' +
    'key is for chat, models and search.',
  noKeysHere: 'This mode has no active key.',
  endedKeys: (count: number) =>
    count === 1 ? '1 expired or revoked key' : `${count} expired or revoked keys`,
  keyName: 'Name',
  keyNameHelp: 'The purpose of the key: a program, a machine, a person.',
  keyNameLength: (max: number) => `A name has 1 to ${max} characters.`,
  key: 'Key',
  mayCall: 'May call',
  everything: 'All capabilities of this kind of key',
  keyScopes: 'What the key may call',
  keyScopesHelp: 'If you select nothing: all capabilities of this kind of key.',
  budget: 'Budget',
  budgetHelp: 'In CNY, such as 20 or 0.5. Calls beyond the budget are refused.',
  budgetWrong: 'An amount in CNY from 0 to 10,000,000, such as 20 or 0.5.',
  per: 'Per',
  periods: { day: 'day', month: 'month', total: 'lifetime' },
  noBudget: 'none',
  budgetOf: (amount: string, period: 'day' | 'month' | 'total') =>
    period === 'total' ? `${amount} in total` : `${amount} a ${period}`,
  networks: 'Networks',
  brokenStreams: 'Broken chat streams',
  brokenStreamsHelp:
    'A stream that breaks normally continues at another upstream of the same model.',
  neverContinue: 'Never continue broken streams',
  mayContinue: 'May continue',
  networksHelp:
    'The key works only from these networks: addresses or ranges such as 203.0.113.0/24, one ' +
    'per line.',
  networksWrong:
    'At least one line is neither an address nor a range, such as 203.0.113.7 or 203.0.113.0/24.',
  anywhere: 'anywhere',
  expires: 'Ends',
  expiresChoices: {
    never: 'Never, unless it is revoked',
    '7': 'In 7 days',
    '30': 'In 30 days',
    '90': 'In 90 days',
    '365': 'In a year',
  } as Readonly<Record<string, string>>,
  expiresWrong: 'Choose one of the listed times.',
  limitsOptional: 'Limits (optional)',
  createKey: 'Create the key',
  cancel: 'Cancel',
  madeTitle: 'Your new key',
  madeAbout:
    'The key is shown only now. Copy it to the place from which your program reads its secrets.',
  madeCall: 'A call with this key',
  madeDone: 'I have copied it',
  madeCalls: 'See its calls, and what they cost',
  madeBefore: 'This form was already sent',
  madeBeforeAbout:
    'The key was created and shown at that time, and cannot be shown again. If you lost the key, ' +
    'revoke it on its page in the list of keys, and create another.',
  tooManyKeys: 'No further key',
  tooManyKeysAbout: (max: number) =>
    `An account has at most ${max} active live keys and as many test keys. Revoke a key that you ` +
    'no longer use, or wait until a rotated key ends; each key counts for an hour at least. The ' +
    'operator of this site can raise the limit. Nothing was created.',
  tooManyRotations: (max: number) =>
    `Together with rotated keys that still work, ${max} keys are active. Revoke one of them, or ` +
    'wait until it ends. Nothing was changed.',
  needsVerification: 'No live keys yet',
  lastUsed: 'Last used',
  neverUsed: 'never',
  made: 'Created',
  stateOf: {
    active: 'works',
    ending: 'works until',
    expired: 'ended',
    revoked: 'revoked',
  },
  replacedBy: 'Replaced by',
  rotatedEdit:
    'This key was rotated and cannot be changed; change the new key. Nothing was changed.',
  editKey: 'Change name or limits',
  editKeyTitle: (name: string) => `Change “${name}”`,
  editKeyAbout:
    'The key itself is unchanged, and programs can continue to use it. Changes take effect ' +
    'within a second.',
  expiresKeep: (time: string) => `Unchanged: ${time}`,
  saveKey: 'Save',
  rotate: 'Rotate',
  rotateAbout:
    'Creates a new key with the same name and limits. The old key stays valid for a while, so ' +
    'that you can replace it in your programs.',
  overlap: 'The old key stays valid for',
  overlaps: {
    '0': 'no time',
    '60': 'one hour',
    '1440': 'one day',
    '10080': 'one week',
  } as Readonly<Record<string, string>>,
  rotatedTitle: 'Your new key',
  rotatedAbout: (time: string) => `The old key is valid until ${time}.`,
  rotatedBefore:
    'This key was already rotated, perhaps in another tab. Nothing was changed. The new key was ' +
    'shown at that time.',
  endedBefore: 'This key has expired or was revoked meanwhile. Nothing was changed.',
  revoke: 'Revoke',
  revokeAbout:
    'Every node refuses the key within a second, so programs that still use the key fail. This ' +
    'cannot be undone.',
  noSuchKey: 'There is no such key in this account.',
  startTitle: 'Your first call',
  startAgainTitle: 'Start',
  startAbout: {
    live:
      'This is live mode: calls are real and cost the prices of the catalog, first from the ' +
      'free ¥2.00 of each day. To try without any cost, switch to Test above.',
    test: 'This is test mode: the same addresses, invented responses, and nothing is charged.',
  },
  stepKey: 'Create a key',
  stepKeyAbout: 'The key is shown once, with an example call that you can copy.',
  stepKeyDone: (count: number) =>
    count === 1 ? 'You have 1 key in use.' : `You have ${count} keys in use.`,
  stepCall: 'Call',
  stepCallAbout: 'In a terminal, with your key in the first line:',
  stepCallDone: 'Last call with one of your keys:',
  stepSee: 'See the call here',
  stepSeeAbout:
    'Every call is listed with the reason for its price and, for one day, its response.',
  pasteKey: 'paste your key here',
  stepDone: 'done',
  addresses: 'Addresses of this installation',
  addressNames: {
    api: 'Capabilities',
    relay: 'Chat relay',
    openapi: 'Description for programs',
    mcp: 'Tools for agents (MCP)',
    sdk: 'SDK',
    skill: 'Skill for agents',
  },
};
