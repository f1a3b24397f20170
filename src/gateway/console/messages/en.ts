// English messages of the console: layout, sign-in, keys and account. Their type checks the other
// language.

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
  times: 'Times are Asia/Shanghai.',
  signedInAs: 'Signed in as',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signInProblems: {
    wrong: 'The e-mail address or the password is not right.',
    suspended:
      'This account is suspended. Please ask the operator of this installation for the reason.',
    stale: 'This form was too old, so nothing was done with it. Please send it again.',
    again:
      'For this you need a sign-in of the last ten minutes. Nothing was changed yet: sign in, ' +
      'and confirm it on the next page.',
    ended: 'Your session has ended, so nothing was changed. Sign in, and you are back at the form.',
  },
  staleTitle: 'Nothing was changed',
  staleAbout:
    'This form was made before you signed in anew, so nothing was done with it. Go back to it ' +
    'and send it again.',
  staleBack: 'Back to the form',
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  email: 'E-mail address',
  password: 'Password',
  forgot: 'Forgotten your password?',
  noAccountYet: 'No account yet?',
  signUp: 'Sign up',
  haveAccount: 'You have an account?',
  tooOld: 'This form was too old, so nothing was done with it. Please send it again.',
  code: 'One-time code',
  codeTitle: 'One more step',
  codeAbout: 'Your password was right. Now the six digits that your authenticator shows.',
  codeHelp: 'Or a recovery code, if your telephone is not at hand.',
  codeWrong: 'That is not the code of this moment, or it was used already.',
  newPassword: 'New password',
  passwordHelp: 'At least 10 characters that are hard to guess: four words, for example.',
  emailMalformed: 'This is not an e-mail address. One looks like ada@example.com.',
  signUpAbout: 'An account has its own keys, its own wallet, and a separate test mode.',
  invite: 'Invitation code',
  inviteHelp: 'From the operator of this installation.',
  inviteUnknown: 'This code is not known, was used already, or is too old.',
  signUpTaken: 'No account can be made with this address. If it is yours, sign in instead.',
  signUpClosed: 'Sign-up is closed at the moment.',
  signUpClosedAbout:
    'The operator of this installation creates accounts: npx radar account add <e-mail address>',
  proofRuns:
    'Your browser solves a small task that keeps automatic sign-ups away. It takes a few seconds.',
  proofInvalid: 'This form was open for long, or was sent before. Please send it again.',
  proofMissing:
    'To sign up here, your browser must run the script of this page, which solves a small task. ' +
    'Without it, ask the operator for an account.',
  proofSlow:
    'Without scripts, sign-up works slowly: the mail with the link leaves ten minutes later.',
  lateMail: 'Your browser ran no script, so the mail leaves in ten minutes.',
  signUpMany: (wait: string) =>
    `Many accounts were made from your network of late. Try again in ${wait}.`,
  minutes: (n: number) => (n === 1 ? '1 minute' : `${n} minutes`),
  hours: (n: number) => (n === 1 ? '1 hour' : `${n} hours`),
  lookIntoMail: 'Look into your mail',
  lookIntoMailAbout:
    'A mail is on its way to the address that you gave. Its link confirms that the address is ' +
    'yours; live keys and the daily allowance begin then. You can sign in at once and work in ' +
    'test mode.',
  inbox: 'This is a demonstration, whose mails go nowhere else than here:',
  mailMissing: 'Nothing came? Look among the junk, or sign up once more with the same address.',
  verify: 'Confirm your address',
  verifyAbout: 'One press, and live keys and the daily allowance are yours.',
  linkDead: 'This link does not work any more',
  linkDeadAbout:
    'It was used already, is too old, or a newer one was sent. Ask for another and use the newest.',
  resetTitle: 'A new password',
  resetAbout: 'We send a link to the address of your account. It works once, within an hour.',
  resetSend: 'Send the link',
  resetSent: 'Look into your mail',
  resetSentAbout:
    'If that address has an account, a mail with a link is on its way to it. It works once, ' +
    'within an hour.',
  resetNoMail: 'This installation sends no mail',
  resetNoMailAbout:
    'Its operator can give you a new password: npx radar account password <e-mail address>',
  resetNew: 'Choose a new password',
  resetNewAbout: 'Every session that was signed in with the old one ends.',
  savePassword: 'Save the password',
  askAgain: 'Ask for another link',
  done: {
    verified: 'Your address is confirmed.',
    reset: 'The new password is set. Sign in with it.',
    password: 'The password is changed, and every other session is signed out.',
    mail: 'Another mail is on its way, unless several were sent a moment ago.',
    ended: 'That session is signed out.',
    others: 'Every other session is signed out.',
    totpOff: 'One-time codes are off: your password alone lets you in.',
    revoked: 'Revoked. Within a second it works nowhere any more.',
    keySaved: 'Saved. Within a second it holds everywhere.',
    addressAsked:
      'A mail is on its way to the new address. Until its link is opened, nothing changes.',
    addressKept: 'The address stays as it is; the link that was sent does nothing any more.',
    deleted: 'The account is deleted. Its keys work nowhere any more.',
    addressChanged: 'The address is changed. Sign in with it from now on.',
  },
  awaits: (email: string) =>
    `${email} is not confirmed yet. Live keys and the daily allowance begin once it is; until ` +
    'then everything works in test mode.',
  awaitsOperator: (email: string) =>
    `${email} is not confirmed yet. This service sends no mail: ask its operator to confirm the ` +
    'address. Live keys and the daily allowance begin then; until then everything works in test ' +
    'mode.',
  sendAgain: 'Send the mail again',
  account: 'Account',
  accountAbout: 'How you sign in, and where you are signed in.',
  address: 'Address',
  confirmed: 'confirmed',
  changeAddress: 'Change the address',
  changeAddressAbout: {
    mail:
      'A link goes to the new address, and a notice to the present one. The address changes when ' +
      'the link is opened.',
    noMail:
      'This installation sends no mail, so the new address cannot be confirmed: it changes at ' +
      'once. Type it with care.',
  },
  newAddress: 'New address',
  addressSame: 'That is the address of this account already.',
  addressTaken: 'This address cannot be used. If it is yours, it has an account of its own.',
  addressAsked: (address: string, until: string) =>
    `The change to ${address} awaits confirmation. Its link works until ${until}.`,
  keepAddress: 'Keep the present address',
  newAddressTitle: 'Your new address',
  newAddressAbout: 'One press, and your account has the address that this link was sent to.',
  newAddressUse: 'Use the new address',
  newAddressTaken: 'This address has an account of its own',
  newAddressTakenAbout:
    'It was created after your request. Your account keeps its present address.',
  notConfirmed: 'not confirmed',
  currentPassword: 'Current password',
  passwordWrong: 'That is not your password.',
  changePassword: 'Change the password',
  changePasswordAbout: 'Every other session is signed out.',
  totp: 'One-time codes',
  totpOffState: 'Off. A code from your telephone beside the password keeps others out.',
  totpOnState: (remaining: number) =>
    `On. ${remaining} recovery ${remaining === 1 ? 'code is' : 'codes are'} left for when your ` +
    'telephone is not at hand.',
  totpSetUp: 'Set up one-time codes',
  totpSetUpAbout:
    'Scan this code with an authenticator app (any will do), then type the six digits that ' +
    'it shows.',
  totpImage: 'QR code for an authenticator',
  totpByHand: 'No camera? Type this secret instead:',
  totpSwitchOn: 'Switch on',
  totpSwitchOff: 'Switch off',
  totpSwitchOffAbout: 'From then on your password alone lets you in.',
  totpOnAlready: 'One-time codes are on already. Switch them off first to set them up anew.',
  recoveryTitle: 'Your recovery codes',
  recoveryAbout:
    'Each lets you in once, in place of a code, when your telephone is lost. They are shown ' +
    'only now: keep them where you keep important papers.',
  recoveryNew: 'New recovery codes',
  recoveryNewAbout: 'The old ones stop working.',
  recoveryKept: 'I have kept them',
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
    'What your programs call with. A key is shown once, when it is made; afterwards only its ' +
    'beginning and end are known here.',
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
    'Make one, and your first call is a minute away. An API key calls capabilities; an Agent ' +
    'key is for chat, models and search.',
  noKeysHere: 'No key is in use in this mode.',
  endedKeys: (n: number) => (n === 1 ? '1 key that has ended' : `${n} keys that have ended`),
  keyName: 'Name',
  keyNameHelp: 'What it is for: a program, a machine, a person.',
  keyNameLength: (max: number) => `A name has 1 to ${max} characters.`,
  key: 'Key',
  mayCall: 'May call',
  everything: 'Everything of its kind',
  keyScopes: 'What it may call',
  keyScopesHelp: 'Nothing ticked: everything of its kind.',
  budget: 'Budget',
  budgetHelp: 'In CNY, such as 20 or 0.5. Calls beyond it are refused.',
  budgetWrong: 'An amount in CNY from 0 to 10,000,000, such as 20 or 0.5.',
  per: 'Per',
  periods: { day: 'day', month: 'month', total: 'its whole life' },
  noBudget: 'none',
  budgetOf: (amount: string, period: 'day' | 'month' | 'total') =>
    period === 'total' ? `${amount} in all` : `${amount} a ${period}`,
  networks: 'Networks',
  networksHelp: 'Only from there: addresses or ranges such as 203.0.113.0/24, one a line.',
  networksWrong:
    'At least one line is no address and no range. One looks like 203.0.113.7 or 203.0.113.0/24.',
  anywhere: 'anywhere',
  expires: 'Ends',
  expiresChoices: {
    never: 'Never, unless it is revoked',
    '7': 'In 7 days',
    '30': 'In 30 days',
    '90': 'In 90 days',
    '365': 'In a year',
  } as Readonly<Record<string, string>>,
  expiresWrong: 'Choose one of these.',
  limitsOptional: 'Limits (optional)',
  createKey: 'Create the key',
  cancel: 'Cancel',
  madeTitle: 'Your new key',
  madeAbout:
    'This is the only time that it is shown. Copy it now to where your program reads its secrets.',
  madeCall: 'Call with it',
  madeDone: 'I have copied it',
  madeCalls: 'See its calls, and what they cost',
  madeBefore: 'This form was sent already',
  madeBeforeAbout:
    'Its key was made and shown then, and is not shown again. If it is lost, revoke it below the ' +
    'list of keys and make another.',
  needsVerification: 'No live keys yet',
  lastUsed: 'Last used',
  neverUsed: 'never',
  made: 'Made',
  stateOf: {
    active: 'works',
    ending: 'works until',
    expired: 'ended',
    revoked: 'revoked',
  },
  replacedBy: 'Followed by',
  rotatedEdit: 'This key was rotated: what can be changed is its successor. Nothing was done.',
  editKey: 'Change name or limits',
  editKeyTitle: (name: string) => `Change “${name}”`,
  editKeyAbout:
    'The key itself stays as it is, and what calls with it goes on. What is saved here holds ' +
    'within a second.',
  expiresKeep: (time: string) => `As it is: ${time}`,
  saveKey: 'Save',
  rotate: 'Rotate',
  rotateAbout:
    'Makes a new key with the same name and limits. The old one goes on working for a while, so ' +
    'that nothing breaks while you change over.',
  overlap: 'The old one works for',
  overlaps: {
    '0': 'no longer',
    '60': 'an hour more',
    '1440': 'a day more',
    '10080': 'a week more',
  } as Readonly<Record<string, string>>,
  rotatedTitle: 'Your new key, in place of the old',
  rotatedAbout: (time: string) => `The old one works until ${time}.`,
  rotatedBefore:
    'This key was rotated already, perhaps in another tab. Nothing was done. Its successor was ' +
    'shown then.',
  endedBefore: 'This key has ended meanwhile. Nothing was done.',
  revoke: 'Revoke',
  revokeAbout:
    'Within a second it works nowhere any more. Whatever still calls with it is refused. This ' +
    'cannot be taken back.',
  noSuchKey: 'There is no such key in this account.',
  startTitle: 'Your first call',
  startAgainTitle: 'Start',
  startAbout: {
    live:
      'This is live mode: calls are real and cost the prices of the catalog, first from the ' +
      'free ¥2.00 of each day. To try without any cost, switch to Test above.',
    test: 'This is test mode: the same addresses, invented responses, and nothing is charged.',
  },
  stepKey: 'Make a key',
  stepKeyAbout: 'It is shown once, with a call that you can copy.',
  stepKeyDone: (n: number) => (n === 1 ? 'You have 1 key in use.' : `You have ${n} keys in use.`),
  stepCall: 'Call',
  stepCallAbout: 'In a terminal, with your key in place of the first line’s:',
  stepCallDone: 'A key of yours has called last:',
  stepSee: 'See it here',
  stepSeeAbout: 'Every call is listed with why it cost what it did and, for a day, its answer.',
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
