// The languages that pages with forms are written in, as BCP 47 tags.
export type Language = 'en' | 'zh-CN';
