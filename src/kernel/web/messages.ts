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
  failureTitle: 'That did not work',
  requestFailed: 'This request could not be carried out. Nothing was changed.',
  serviceUnavailable:
    'The service is temporarily unavailable. Nothing was changed; please try again in a moment.',
  errorTitle: 'Please correct the following',
  conflictTitle: 'This was changed by another person meanwhile',
  conflictAbout:
    'Your changes were not saved. This page shows the current values. Your input is still in ' +
    'the form. Save again to replace the current values.',
  conflictBy: (who: string) =>
    `${who} saved a change first. Your changes were not saved. This page shows the current ` +
    'values. Your input is still in the form. Save again to replace the current values.',
  currentValue: 'Current value',
  yourInput: 'Your input',
  field: 'Field',
  colon: ': ',
  sessionEnded: 'Your session has ended. Your input was kept: sign in, and then submit it.',
  unsentTitle: 'This form was not submitted',
  unsentAbout:
    'You filled it in before you signed in again. Nothing was changed yet. Check and submit it.',
  sendNow: 'Submit the form',
  discard: 'Discard the form',
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
  failureTitle: '没有成功',
  requestFailed: '无法完成此操作，没有做任何更改。',
  serviceUnavailable: '暂时无法响应，没有做任何更改，请稍后再试。',
  errorTitle: '请更正以下内容',
  conflictTitle: '其他人已在此期间更改了内容',
  conflictAbout: '您的更改没有保存。本页显示现在的内容；您输入的内容仍在表单里，再次保存即会替换。',
  conflictBy: (who) =>
    `${who} 先保存了。您的更改没有保存。本页显示现在的内容；` +
    '您输入的内容仍在表单里，再次保存即会替换。',
  currentValue: '当前内容',
  yourInput: '您的输入',
  field: '字段',
  colon: '：',
  sessionEnded: '会话已结束。您输入的内容已保留：请登录后提交。',
  unsentTitle: '这个表单还没有提交',
  unsentAbout: '这是您重新登录之前填写的，尚未做任何更改。请检查后提交。',
  sendNow: '提交表单',
  discard: '放弃表单',
};

export const formMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
