-- Sums of calls by day, wallet, key and capability. A worker adds each call once, after it has
-- ended. Pages read the sums, and the calls of the last minutes and those that still run.

-- `units`: billed units of the calls that succeeded. Money is micro-fen, by what was charged.
CREATE TABLE usage_days (
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  day        text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  capability text COLLATE "C" NOT NULL,
  calls      bigint NOT NULL,
  succeeded  bigint NOT NULL,
  units      bigint NOT NULL,
  allowance  bigint NOT NULL,
  voucher    bigint NOT NULL,
  cash       bigint NOT NULL,
  PRIMARY KEY (account_id, livemode, day, key_id, capability)
) WITH (fillfactor = 70);
CREATE INDEX usage_days_by_day ON usage_days (day);

-- Calls that were authorized before `through` are in `usage_days`, except for those in
-- `usage_running`.
CREATE TABLE usage_progress (
  only_row boolean PRIMARY KEY CHECK (only_row),
  through  timestamptz NOT NULL
);
CREATE TABLE usage_running (request_id text COLLATE "C" PRIMARY KEY);

-- What one call adds to the sums. A charge is allocated to the parts of its hold in order: each
-- part is charged the amount that the earlier parts did not cover.
CREATE VIEW ledger_audit.usage_of_calls AS
SELECT c.request_id, c.account_id, c.livemode, c.day, c.key_id, c.capability, c.opened_at,
  c.state NOT IN ('held', 'unknown') AS has_ended, 1::bigint AS calls,
  (c.state = 'captured')::integer::bigint AS succeeded,
  CASE WHEN c.state = 'captured' AND jsonb_typeof(c.usage -> 'quantity') = 'number'
    THEN floor((c.usage ->> 'quantity')::numeric)::bigint ELSE 0 END AS units,
  coalesce(s.allowance, 0)::bigint AS allowance, coalesce(s.voucher, 0)::bigint AS voucher,
  coalesce(s.cash, 0)::bigint AS cash
FROM calls c
CROSS JOIN LATERAL (
  SELECT sum(d.due) FILTER (WHERE d.book LIKE 'allowance:%') AS allowance,
    sum(d.due) FILTER (WHERE d.book LIKE 'voucher:%') AS voucher,
    sum(d.due) FILTER (WHERE d.book = 'cash') AS cash
  FROM (
    SELECT p.book, greatest(least(p.part, c.captured
      - sum(p.part) OVER (ORDER BY p.place) + p.part), 0) AS due
    FROM unnest(c.books, c.parts) WITH ORDINALITY AS p(book, part, place)
    WHERE c.captured > 0
  ) AS d
) AS s;

-- The fourteenth invariant.
CREATE VIEW ledger_audit.usage_is_the_calls AS
SELECT format('%s of key %s of %s (livemode %s) on %s', coalesce(u.capability, c.capability),
    coalesce(u.key_id, c.key_id), coalesce(u.account_id, c.account_id),
    coalesce(u.livemode, c.livemode), coalesce(u.day, c.day)) AS subject,
  format('summed %s, the calls say %s', u.sums, c.sums) AS detail
FROM (
  SELECT account_id, livemode, day, key_id, capability,
    ARRAY[calls, succeeded, units, allowance, voucher, cash]::numeric[] AS sums
  FROM usage_days
) AS u
FULL JOIN (
  SELECT x.account_id, x.livemode, x.day, x.key_id, x.capability, ARRAY[sum(x.calls),
    sum(x.succeeded), sum(x.units), sum(x.allowance), sum(x.voucher), sum(x.cash)] AS sums
  FROM ledger_audit.usage_of_calls x
  WHERE x.opened_at < (SELECT p.through FROM usage_progress p)
    AND NOT EXISTS (SELECT FROM usage_running r WHERE r.request_id = x.request_id)
  GROUP BY 1, 2, 3, 4, 5
) AS c USING (account_id, livemode, day, key_id, capability)
WHERE u.sums IS DISTINCT FROM c.sums;
