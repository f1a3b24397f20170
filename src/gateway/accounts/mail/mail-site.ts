// The installation, as mails to customers name it.
export type MailLanguage = 'en' | 'zh-CN';

export type MailSite = {
  /** Of the gateway; read when a link is made. */
  readonly url: string;
  readonly name: string;
  readonly language: MailLanguage;
};
