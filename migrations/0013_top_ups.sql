-- Money that is paid at a hosted checkout, and codes that can be redeemed for vouchers. What either
-- does to a wallet is an entry of the journal; here is what it was for.

-- A top-up: asked for by an account, paid at the provider's checkout, credited once. What the
-- provider says is copied here only together with what the ledger makes of it.
CREATE TABLE top_ups (
  id             text COLLATE "C" PRIMARY KEY,
  account_id     text COLLATE "C" NOT NULL,
  -- Micro-fen: what was asked for, and what is credited when exactly that was paid.
  amount         bigint NOT NULL CHECK (amount > 0),
  -- begun, open, processing, expired, failed, refused, credited
  state          text NOT NULL,
  -- The provider's session and where it is paid; null until the provider has answered.
  session_id     text COLLATE "C" UNIQUE,
  session_url    text,
  -- Whether the provider takes real money in it.
  provider_live  boolean,
  payment_intent text COLLATE "C",
  -- Why it was refused, for operators.
  problem        text,
  begun_at       timestamptz NOT NULL,
  looked_at      timestamptz NOT NULL,
  -- When the provider is asked about it again; null: never by itself.
  look_at        timestamptz,
  credited_at    timestamptz,
  -- What the provider has given back so far, and how much of that could be taken out of the wallet.
  refunded       bigint NOT NULL DEFAULT 0,
  taken_back     bigint NOT NULL DEFAULT 0,
  CONSTRAINT top_ups_taken_back CHECK (taken_back BETWEEN 0 AND refunded)
);
CREATE INDEX top_ups_of_account ON top_ups (account_id, begun_at);
CREATE INDEX top_ups_payment ON top_ups (payment_intent) WHERE payment_intent IS NOT NULL;
CREATE INDEX top_ups_to_look_at ON top_ups (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX top_ups_short ON top_ups (begun_at) WHERE taken_back < refunded;

-- Takes cash that was given back elsewhere out of a wallet: as much as there is, `p_most` at the
-- most, never what is held. Answers how much that was.
CREATE FUNCTION ledger_take_back(
  p_account text, p_live boolean, p_now timestamptz, p_most bigint, p_reference text,
  p_reason text, p_actor text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_taken bigint;
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  SELECT least(b.available, p_most) INTO v_taken FROM books b
  WHERE b.account_id = p_account AND b.livemode = p_live AND b.name = 'cash';
  IF coalesce(v_taken, 0) <= 0 THEN RETURN 0; END IF;
  PERFORM ledger_post(p_account, p_live, 'top_up_refund', NULL, p_now, ARRAY['cash'],
    ARRAY['top-ups'], ARRAY[v_taken], p_reference, p_reason, p_actor);
  RETURN v_taken;
END $$;

-- Codes are made in batches of one amount. The codes themselves are kept as hashes only.
CREATE TABLE voucher_batches (
  id              text COLLATE "C" PRIMARY KEY,
  name            text COLLATE "C" NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  count           integer NOT NULL CHECK (count > 0),
  -- How long the voucher can be spent once its code was redeemed.
  days_valid      integer NOT NULL CHECK (days_valid > 0),
  redeem_until    timestamptz NOT NULL,
  one_per_account boolean NOT NULL,
  made_at         timestamptz NOT NULL,
  made_by         text NOT NULL,
  withdrawn_at    timestamptz
);

CREATE TABLE voucher_codes (
  hash        bytea PRIMARY KEY,
  batch_id    text COLLATE "C" NOT NULL REFERENCES voucher_batches (id),
  redeemed_by text COLLATE "C",
  redeemed_at timestamptz,
  -- The voucher that it became.
  voucher_id  text COLLATE "C",
  CONSTRAINT voucher_codes_whole CHECK ((redeemed_by IS NULL) = (voucher_id IS NULL))
);
CREATE INDEX voucher_codes_of_batch ON voucher_codes (batch_id, redeemed_by);

-- The twelfth invariant: the books say of every top-up what its record says, credited once with
-- what was asked for, and never more taken back than was credited.
CREATE VIEW ledger_audit.top_ups_are_in_the_books AS
SELECT 'top-up ' || coalesce(t.id, j.id) AS subject,
  format('the record says %s credited and %s taken back, the journal %s and %s',
    coalesce(t.credited, 0), coalesce(t.taken_back, 0), coalesce(j.credited, 0),
    coalesce(j.taken_back, 0)) AS detail
FROM (
  SELECT id, account_id, CASE WHEN state = 'credited' THEN amount ELSE 0 END AS credited,
    taken_back
  FROM top_ups
) AS t
FULL JOIN (
  SELECT split_part(e.reference, ':', 2) AS id, e.account_id,
    coalesce(sum(m.amount) FILTER (WHERE e.kind = 'top_up'), 0) AS credited,
    coalesce(sum(m.amount) FILTER (WHERE e.kind = 'top_up_refund'), 0) AS taken_back
  FROM entries e CROSS JOIN LATERAL unnest(e.amounts) AS m(amount)
  WHERE e.livemode AND (e.reference LIKE 'top-up:%' OR e.reference LIKE 'top-up-refund:%')
  GROUP BY 1, 2
) AS j ON j.id = t.id AND j.account_id = t.account_id
WHERE coalesce(t.credited, 0) <> coalesce(j.credited, 0)
  OR coalesce(t.taken_back, 0) <> coalesce(j.taken_back, 0)
  OR coalesce(j.taken_back, 0) > coalesce(j.credited, 0);
