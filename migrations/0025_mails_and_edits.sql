-- Letters wait in the database until a mail server has taken them; an account's address can be
-- changed, and alerts can be mailed; a key can be edited by one editor at a time.

CREATE TABLE outgoing_mails (
  -- Its Message-ID as well: a letter that is sent twice is the same letter.
  id            text COLLATE "C" PRIMARY KEY,
  -- Whom it is to and what it says, which may hold a link that opens an account: encrypted.
  letter        bytea NOT NULL,
  created_at    timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  -- From then on nobody needs it any more.
  ends_at       timestamptz NOT NULL,
  tries         integer NOT NULL,
  -- Whoever sends it holds it until then.
  claimed_until timestamptz,
  last_error    text
);
CREATE INDEX outgoing_mails_due ON outgoing_mails (due_at);

ALTER TABLE account_mail_tokens
  DROP CONSTRAINT account_mail_tokens_purpose_check,
  -- The address that the account is to have, once its owner has opened the link.
  ADD COLUMN address text COLLATE "C",
  ADD CHECK (purpose IN ('verify', 'reset', 'address')),
  ADD CHECK ((purpose = 'address') = (address IS NOT NULL));

ALTER TABLE accounts
  -- Whether alerts are mailed as well.
  ADD COLUMN alert_mails boolean NOT NULL DEFAULT false;

ALTER TABLE webhook_events
  -- Whether it is to be told by mail: due until its letter is written.
  ADD COLUMN mail text NOT NULL DEFAULT 'no' CHECK (mail IN ('no', 'due', 'written'));
CREATE INDEX webhook_events_to_mail ON webhook_events (id) WHERE mail = 'due';

ALTER TABLE api_keys
  ADD COLUMN version integer NOT NULL DEFAULT 1;
