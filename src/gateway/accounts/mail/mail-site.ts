// Defines the types for the name and the address of the installation in mails to customers.
export type MailLanguage = 'en' | 'zh-CN';

export type MailSite = {
  /** The address of the gateway, which is read for each link. */
  readonly url: string;
  readonly name: string;
  readonly language: MailLanguage;
};
