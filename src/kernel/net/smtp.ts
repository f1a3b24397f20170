// The installation's mail server: its settings, and sending of one mail.
import { createTransport } from 'nodemailer';
import { z } from 'zod';

export const smtpSchema = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).default(587),
  secure: z
    .boolean()
    .default(false)
    .describe('TLS from the first byte (port 465); false: STARTTLS'),
  requireTls: z.boolean().default(false).describe('Send nothing over a connection without TLS'),
  user: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
  from: z.string().min(3).describe('“Name <address>”, or an address'),
  inboxUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of an inbox for demonstrations and trials; pages link to it'),
  perMinute: z
    .int()
    .min(1)
    .max(100_000)
    .default(60)
    .describe('Mails per minute to one notification channel, counted over all processes'),
  dkim: z
    .strictObject({
      domain: z.string().min(1),
      selector: z.string().min(1),
      privateKey: z.string().min(1).describe('PEM'),
    })
    .optional()
    .describe('Signs mails here (RFC 6376); without it the mail server signs'),
});

type SmtpSettings = z.infer<typeof smtpSchema>;

export type SmtpConfig = Omit<SmtpSettings, 'perMinute'> & { readonly perMinute?: number };

export type SmtpMail = {
  /** The left part of the Message-ID, so that receivers recognize a repeated mail. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type Smtp = {
  /** Rejects with the server's reply. */
  send(mail: SmtpMail): Promise<void>;
  close(): void;
};

const TIMEOUT_MS = 10_000;

export function openSmtp(config: SmtpConfig): Smtp {
  const { host, port, secure, requireTls, user, password, from, dkim } = config;
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...(dkim !== undefined && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
      },
    }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // The library must not read files or URLs that the content of a mail names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, headers, ...mail }) => {
      await transport.sendMail({
        ...mail,
        from,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      });
    },
    close: () => transport.close(),
  };
}

/** The server refuses the address permanently (RFC 5321, 4.2.1). */
export function isPermanentRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return code === 'EENVELOPE' && Number(responseCode) >= 500;
}
