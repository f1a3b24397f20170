// Messages about forms and failures that all operator areas and the console share.
import type { Language } from './language.ts';

const en = {
  keys: {
    title: 'Keys',
    next: 'next row',
    previous: 'previous row',
    open: 'open',
    search: 'search field',
    palette: 'Go to a page',
    close: 'Close',
  },
  notFound: 'Not found',
  failed: 'That did not work',
  failedRequest: 'This request could not be carried out. Nothing was changed.',
  failedOurs: 'This cannot be done right now. Nothing was changed; please try again in a moment.',
  errorTitle: 'Please look at this again',
  conflictTitle: 'This was changed by another person meanwhile',
  conflictAbout:
    'Nothing of yours was saved. This page shows what stands now; what you typed is kept in ' +
    'the form, and saving again puts it in place.',
  conflictBy: (who: string) =>
    `${who} was faster. Nothing of yours was saved. This page shows what stands now; what ` +
    'you typed is kept in the form, and saving again puts it in place.',
  conflictNow: 'Stands now',
  conflictInput: 'You typed',
  field: 'Field',
  colon: ': ',
  kept: 'Your session has ended. What you typed is kept: sign in, and send it.',
  keptTitle: 'This has not been sent',
  keptAbout:
    'You typed it before you signed in again. Nothing was changed yet: look at it, and send it.',
  sendNow: 'Send it now',
  leaveIt: 'Discard it',
};

const zh: typeof en = {
  keys: {
    title: '快捷键',
    next: '下一行',
    previous: '上一行',
    open: '打开',
    search: '搜索框',
    palette: '前往页面',
    close: '关闭',
  },
  notFound: '没有这一页',
  failed: '没有成功',
  failedRequest: '无法按要求完成，没有做任何更改。',
  failedOurs: '暂时无法响应，没有做任何更改，请稍后再试。',
  errorTitle: '请再看一下',
  conflictTitle: '其间有人改过了',
  conflictAbout: '您的更改没有保存。本页显示现在的内容；您输入的内容仍在表单里，再次保存即会替换。',
  conflictBy: (who) =>
    `${who} 先保存了。您的更改没有保存。本页显示现在的内容；` +
    '您输入的内容仍在表单里，再次保存即会替换。',
  conflictNow: '现在是',
  conflictInput: '您输入的是',
  field: '字段',
  colon: '：',
  kept: '会话已结束。您输入的内容还在：请登录后发送。',
  keptTitle: '这些内容还没有发送',
  keptAbout: '这是您重新登录之前填写的，尚未做任何更改：请看过之后发送。',
  sendNow: '现在发送',
  leaveIt: '不发送',
};

export const formMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
