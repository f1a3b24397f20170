// Fixed sentences in the reasons of failed deliveries. Reasons are stored in English. Pages in
// Chinese translate these sentences and show the texts of the services unchanged.

export const failureTexts = {
  address: 'The address is not permitted.',
  /**
   * All connection failures have this text, which shows no name and no port of the operator's
   * network.
   */
  unreachable: 'The service could not be reached.',
  large: 'The response is larger than 64 KB.',
  slow: 'The service did not respond within 15 s.',
  unreadable: 'The response could not be read.',
  dropped: 'The message may have arrived already; this channel drops such deliveries.',
  secret: 'The secret of the channel cannot be read: add the channel again.',
  /** Written by the store. */
  restored: 'The database was restored.',
  noMailServer: 'No mail server is configured (smtp).',
} as const;

const adviceTexts = {
  keyword:
    "The bot requires a keyword. Add it to the subscription's name or remove it in the group.",
  signature: 'The signature is refused: compare the secret and the clock of this machine.',
  addresses: 'The bot permits certain addresses only: add the address of this machine.',
  botAddress: 'The address of the bot is wrong: copy it again from the group.',
  key: 'The key in the address is wrong: copy it again from the group.',
  robot:
    'The security settings of the robot refuse the message: compare secret, keyword and addresses.',
  chat: 'Add the bot to the chat and permit it to write.',
  token: 'The token is wrong: request it again from @BotFather.',
  deleted: 'The webhook was deleted: create one in the settings of the channel.',
  topic: 'The topic is protected: add an access token.',
} as const;

/** The operator's next action by kind and code, where the text of the service does not name it. */
export const responseAdvices: Readonly<Record<string, string>> = {
  'feishu 19024': adviceTexts.keyword,
  'lark 19024': adviceTexts.keyword,
  'feishu 19021': adviceTexts.signature,
  'lark 19021': adviceTexts.signature,
  'feishu 19022': adviceTexts.addresses,
  'lark 19022': adviceTexts.addresses,
  'feishu 19001': adviceTexts.botAddress,
  'lark 19001': adviceTexts.botAddress,
  'wecom 93000': adviceTexts.key,
  'dingtalk 310000': adviceTexts.robot,
  'telegram 403': adviceTexts.chat,
  'telegram 401': adviceTexts.token,
  'discord 10015': adviceTexts.deleted,
  'ntfy 403': adviceTexts.topic,
};

const chinese: Readonly<Record<keyof typeof failureTexts | keyof typeof adviceTexts, string>> = {
  address: '不允许使用这个地址。',
  unreachable: '无法连接到该服务。',
  large: '响应超过 64 KB。',
  slow: '该服务在 15 秒内没有响应。',
  unreadable: '无法读取响应。',
  dropped: '消息可能已经送达；该渠道会放弃此类投递。',
  secret: '无法读取渠道的密钥：请重新添加渠道。',
  restored: '数据库已从备份恢复。',
  noMailServer: '没有配置邮件服务器（smtp）。',
  keyword: '机器人要求关键词：把它加入订阅的名称，或者在群里取消该要求。',
  signature: '签名被拒绝：核对密钥和本机时钟。',
  addresses: '机器人只允许某些地址：添加本机的地址。',
  botAddress: '机器人的地址不正确：从群里重新复制。',
  key: '地址中的 key 不正确：从群里重新复制。',
  robot: '机器人的安全设置拒绝了消息：核对密钥、关键词和地址。',
  chat: '把机器人加入会话，并允许它发言。',
  token: '令牌不正确：向 @BotFather 重新获取。',
  deleted: 'Webhook 已被删除：在频道设置中新建一个。',
  topic: '该主题受保护：添加访问令牌。',
};

/** A stored reason in the language of a page. */
export function translateReason(language: 'en' | 'zh-CN', reason: string): string {
  if (language === 'en') return reason;
  const texts = Object.entries({ ...failureTexts, ...adviceTexts });
  return texts.reduce(
    (text, [name, english]) => text.replace(english, chinese[name as keyof typeof chinese]),
    reason,
  );
}
