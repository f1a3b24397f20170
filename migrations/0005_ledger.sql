-- The ledger. Its tables are written by the functions of this file and by nothing else, each of
-- which is one statement to its caller: it locks the wallets it needs in order of their ids, looks
-- again (every statement inside sees what is committed by then), and posts. Money is micro-fen.

-- One lock, and the counters of calls, per account and mode. `begun`: the day that was begun last.
CREATE TABLE wallets (
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  day         text COLLATE "C" NOT NULL,
  day_calls   integer NOT NULL,
  month       text COLLATE "C" NOT NULL,
  month_calls integer NOT NULL,
  begun       text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (account_id, livemode)
) WITH (fillfactor = 50);

-- The balances: a cache of the journal, moved in the statement that writes it. `held` is the held
-- side of a book (`held:cash` in the journal). The platform's books are kept per wallet too, so no
-- wallet ever waits for another; the platform's balance is their sum. Kinds are allowance, voucher,
-- cash and platform; only the platform's may go below zero and have no expiry, cash's is infinity.
-- (A check is parsed anew by every statement that writes; here is the one that counts.)
CREATE TABLE books (
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  name       text COLLATE "C" NOT NULL,
  kind       text NOT NULL,
  available  bigint NOT NULL,
  held       bigint NOT NULL,
  issued     bigint NOT NULL,
  label      text,
  expires_at timestamptz,
  opened_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, livemode, name),
  CONSTRAINT books_covered CHECK (held >= 0 AND (available >= 0 OR expires_at IS NULL))
) WITH (fillfactor = 50);
-- Only for what can be spent: no plan may look a book up by it, through all allowances ever given.
CREATE INDEX books_of_wallet ON books (account_id, livemode, expires_at)
  WHERE expires_at IS NOT NULL;
CREATE INDEX books_expiring ON books (expires_at);

-- What a key has spent (held or captured) in its current periods.
CREATE TABLE key_spending (
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  key_id      text COLLATE "C" NOT NULL,
  day         text COLLATE "C" NOT NULL,
  day_spent   bigint NOT NULL,
  month       text COLLATE "C" NOT NULL,
  month_spent bigint NOT NULL,
  total_spent bigint NOT NULL,
  PRIMARY KEY (account_id, livemode, key_id)
) WITH (fillfactor = 50);

-- The journal: one row per event, a list of moves from book to book. Each move is two postings
-- (see the view `postings`), so an entry whose lists are of one length sums to zero. The reserves
-- of one batch and wallet are one entry, and so are its captures: `requests` says which call each
-- move was made for. `seq` follows the order of commits within a wallet, whose lock is held when it
-- is drawn. (A batch's row stays in its page: packing it away costs more than all the rest.)
CREATE TABLE entries (
  seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  -- top_up, credit, allowance, voucher, goodwill, sandbox, expiry, refund; of calls: reserve,
  -- remeasure, capture, release.
  kind       text NOT NULL,
  at         timestamptz NOT NULL,
  sources    text[] NOT NULL,
  targets    text[] NOT NULL,
  amounts    bigint[] NOT NULL,
  requests   text[],
  reference  text COLLATE "C",
  reason     text,
  actor      text,
  CONSTRAINT entries_moves CHECK (0 < ALL (amounts) AND cardinality(amounts) > 0
    AND cardinality(sources) = cardinality(amounts) AND cardinality(targets) = cardinality(amounts)
    AND cardinality(requests) = cardinality(amounts))
) WITH (toast_tuple_target = 8160);
ALTER TABLE entries ALTER COLUMN sources SET STORAGE EXTERNAL,
  ALTER COLUMN targets SET STORAGE EXTERNAL, ALTER COLUMN amounts SET STORAGE EXTERNAL,
  ALTER COLUMN requests SET STORAGE EXTERNAL;
-- Of calls the calls themselves tell.
CREATE INDEX entries_of_wallet ON entries (account_id, livemode, seq)
  WHERE kind NOT IN ('reserve', 'remeasure', 'capture', 'release');
CREATE UNIQUE INDEX entries_reference ON entries (account_id, livemode, reference)
  WHERE reference IS NOT NULL;

CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the journal is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

-- A call, the hold that was taken for it, and how it ended.
CREATE TABLE calls (
  request_id      text COLLATE "C" PRIMARY KEY,
  account_id      text COLLATE "C" NOT NULL,
  livemode        boolean NOT NULL,
  key_id          text COLLATE "C" NOT NULL,
  capability      text NOT NULL,
  sku             text,
  price_version   integer NOT NULL,
  unit            text NOT NULL,
  quantity        bigint NOT NULL,
  amount          bigint NOT NULL,
  max_charge      bigint,
  budget          bigint,
  budget_period   text,
  books           text[] NOT NULL,
  parts           bigint[] NOT NULL,
  idempotency_key text COLLATE "C",
  -- The key of a call that failed and so let it go.
  freed_key       text COLLATE "C",
  fingerprint     text COLLATE "C",
  -- held, unknown, captured, released, expired.
  state           text NOT NULL,
  day             text COLLATE "C" NOT NULL,
  opened_at       timestamptz NOT NULL,
  deadline_at     timestamptz NOT NULL,
  completed_at    timestamptz,
  captured        bigint,
  status          integer,
  code            text,
  usage           jsonb
) WITH (fillfactor = 45);
-- No index names a column that changes when a call is captured: the row is changed in its page.
-- The key comes first, and a look-up must name the wallet by IS NOT DISTINCT FROM: plans are made
-- on small tables, and one that goes through all calls of a wallet would be right there.
CREATE UNIQUE INDEX calls_idempotency ON calls (idempotency_key, account_id, livemode)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX calls_of_wallet ON calls (account_id, livemode, opened_at, request_id);

-- When calls that a wallet opened at one instant fall due: where recovery looks for holds. One that
-- names only calls that ended is taken away when its time comes.
CREATE TABLE deadlines (
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  opened_at   timestamptz NOT NULL,
  deadline_at timestamptz NOT NULL
);
CREATE INDEX deadlines_due ON deadlines (deadline_at);

-- Answers, kept for a day.
CREATE TABLE answers (
  request_id   text COLLATE "C" PRIMARY KEY,
  content_type text NOT NULL,
  body         bytea NOT NULL,
  kept_until   timestamptz NOT NULL
);
CREATE INDEX answers_kept ON answers USING brin (kept_until);

-- The hash chain: each seal covers the entries of a range of `seq` and the seal before it.
CREATE TABLE seals (
  number    bigint PRIMARY KEY,
  first_seq bigint NOT NULL,
  last_seq  bigint NOT NULL,
  entries   integer NOT NULL,
  hash      bytea NOT NULL,
  sealed_at timestamptz NOT NULL
);
CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

-- Makes wallets that are missing, then locks all in order of their ids: in this order, so that
-- nobody who already holds a lock waits for a wallet that another is making.
CREATE FUNCTION ledger_lock(p_account text[], p_live boolean[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM unnest(p_account, p_live) AS a(account_id, livemode) WHERE NOT EXISTS (
      SELECT FROM wallets w WHERE w.account_id = a.account_id AND w.livemode = a.livemode)
  ) THEN
    INSERT INTO wallets (account_id, livemode, day, day_calls, month, month_calls)
    SELECT DISTINCT a.account_id, a.livemode, '', 0, '', 0
    FROM unnest(p_account, p_live) AS a(account_id, livemode) ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
  END IF;
  PERFORM FROM wallets w
  WHERE (w.account_id, w.livemode) IN (
    SELECT a.account_id, a.livemode FROM unnest(p_account, p_live) AS a(account_id, livemode))
  ORDER BY w.account_id, w.livemode FOR NO KEY UPDATE;
END $$;

-- Opens a book of a wallet that is locked; one that exists stays as it is.
CREATE FUNCTION ledger_book(
  p_account text, p_live boolean, p_name text, p_expires timestamptz, p_now timestamptz,
  p_label text, p_issued bigint
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO books (account_id, livemode, name, kind, available, held, issued, label, expires_at,
    opened_at)
  VALUES (p_account, p_live, p_name,
    CASE WHEN p_name = 'cash' THEN 'cash' WHEN p_name LIKE 'voucher:%' THEN 'voucher'
      WHEN p_name LIKE 'allowance:%' THEN 'allowance' ELSE 'platform' END,
    0, 0, p_issued, p_label, p_expires, p_now)
  ON CONFLICT DO NOTHING
$$;

-- Posts one entry of a wallet that is locked: the journal and the balances. Answers its number.
CREATE FUNCTION ledger_post(
  p_account text, p_live boolean, p_kind text, p_request text, p_now timestamptz,
  p_sources text[], p_targets text[], p_amounts bigint[],
  p_reference text, p_reason text, p_actor text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  r record;
BEGIN
  INSERT INTO entries (account_id, livemode, kind, requests, at, sources, targets, amounts,
    reference, reason, actor)
  VALUES (p_account, p_live, p_kind,
    CASE WHEN p_request IS NOT NULL THEN array_fill(p_request, ARRAY[cardinality(p_amounts)]) END,
    p_now, p_sources, p_targets, p_amounts, p_reference, p_reason, p_actor)
  RETURNING seq INTO v_seq;
  FOR r IN
    SELECT regexp_replace(m.book, '^held:', '') AS name,
      sum(CASE WHEN m.book LIKE 'held:%' THEN 0 ELSE m.amount END)::bigint AS available,
      sum(CASE WHEN m.book LIKE 'held:%' THEN m.amount ELSE 0 END)::bigint AS held
    FROM (
      SELECT t.source AS book, -t.amount AS amount
      FROM unnest(p_sources, p_amounts) AS t(source, amount)
      UNION ALL
      SELECT t.target, t.amount FROM unnest(p_targets, p_amounts) AS t(target, amount)
    ) AS m
    GROUP BY 1
  LOOP
    UPDATE books b SET available = b.available + r.available, held = b.held + r.held
    WHERE b.account_id = p_account AND b.livemode = p_live AND b.name = r.name;
    CONTINUE WHEN FOUND;
    INSERT INTO books (account_id, livemode, name, kind, available, held, issued, expires_at,
      opened_at)
    VALUES (p_account, p_live, r.name, CASE WHEN r.name = 'cash' THEN 'cash' ELSE 'platform' END,
      r.available, r.held, 0, CASE WHEN r.name = 'cash' THEN 'infinity'::timestamptz END, p_now);
  END LOOP;
  RETURN v_seq;
END $$;

-- Takes what is left in books that are over to `expired`. Answers how many there were.
CREATE FUNCTION ledger_expire(
  p_account text, p_live boolean, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_count integer := 0;
  r record;
BEGIN
  FOR r IN
    SELECT b.name, b.available FROM books b
    WHERE b.account_id = p_account AND b.livemode = p_live AND b.expires_at <= p_now
      AND b.available > 0
    ORDER BY b.expires_at, b.name
  LOOP
    PERFORM ledger_post(p_account, p_live, 'expiry', NULL, p_now, ARRAY[r.name],
      ARRAY['expired'], ARRAY[r.available], NULL, NULL, NULL);
    v_count := v_count + 1;
  END LOOP;
  RETURN v_count;
END $$;

-- The first priced call of a Shanghai day: what is over expires, and the day's allowance comes. In
-- test mode the day begins with a voucher of 10 CNY and with 100 CNY too, whatever was left.
CREATE FUNCTION ledger_begin_day(
  p_account text, p_live boolean, p_now timestamptz, p_day text, p_day_ends timestamptz,
  p_allowance bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_voucher text := 'voucher:test-' || p_day;
  v_cash bigint;
BEGIN
  UPDATE wallets SET begun = p_day WHERE account_id = p_account AND livemode = p_live;
  PERFORM ledger_expire(p_account, p_live, p_now);
  PERFORM ledger_book(p_account, p_live, 'allowance:' || p_day, p_day_ends, p_now, NULL,
    p_allowance);
  IF p_allowance > 0 THEN
    PERFORM ledger_post(p_account, p_live, 'allowance', NULL, p_now, ARRAY['promotions'],
      ARRAY['allowance:' || p_day], ARRAY[p_allowance], 'allowance:' || p_day, NULL, NULL);
  END IF;
  IF p_live THEN RETURN; END IF;
  PERFORM ledger_book(p_account, p_live, v_voucher, p_day_ends, p_now, 'Test voucher',
    1000000000);
  PERFORM ledger_post(p_account, p_live, 'sandbox', NULL, p_now, ARRAY['promotions'],
    ARRAY[v_voucher], ARRAY[1000000000], NULL, NULL, NULL);
  SELECT coalesce(sum(b.available), 0) - 10000000000 INTO v_cash FROM books b
  WHERE b.account_id = p_account AND b.livemode = p_live AND b.name = 'cash';
  IF v_cash < 0 THEN
    PERFORM ledger_post(p_account, p_live, 'sandbox', NULL, p_now, ARRAY['promotions'],
      ARRAY['cash'], ARRAY[-v_cash], NULL, NULL, NULL);
  ELSIF v_cash > 0 THEN
    PERFORM ledger_post(p_account, p_live, 'sandbox', NULL, p_now, ARRAY['cash'],
      ARRAY['promotions'], ARRAY[v_cash], NULL, NULL, NULL);
  END IF;
END $$;

-- The order in which a wallet's money is spent: allowance, vouchers by expiry then age, cash.
CREATE FUNCTION ledger_sources(
  p_account text, p_live boolean, p_now timestamptz, OUT names text[], OUT amounts bigint[]
) LANGUAGE sql STABLE AS $$
  SELECT array_agg(b.name), array_agg(b.available) FROM (
    SELECT s.name, s.available FROM books s
    WHERE s.account_id = p_account AND s.livemode = p_live AND s.expires_at > p_now
    ORDER BY CASE s.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
      s.expires_at, s.opened_at, s.name
  ) AS b
$$;

-- Opens calls: the key looked up again, quota, budget, cover, reserve, claim. Requests come grouped
-- by wallet, no idempotency key twice. Answers one line per request, in their order:
--   opened|books|parts|calls today|calls this month     duplicate|request|status|completed (ms)
--   in_progress|request   reused|request   gone
--   insufficient|required|available   budget|required|available   quota|day or month|today|month
-- `p_again`: after a lost connection, when the same requests may be in the books already.
CREATE FUNCTION ledger_open(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_month text, p_allowance bigint,
  p_again boolean, p_request text[], p_account text[], p_live boolean[], p_key text[],
  p_capability text[], p_sku text[], p_price_version integer[], p_unit text[],
  p_quantity bigint[], p_amount bigint[], p_max_charge bigint[], p_budget bigint[],
  p_period text[], p_idempotency text[], p_fingerprint text[], p_day_quota integer[],
  p_month_quota integer[], p_deadline timestamptz[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_answers text[] := array_fill(NULL::text, ARRAY[cardinality(p_request)]);
  -- Per request: literals of the arrays to store; null where nothing was opened.
  v_books text[] := v_answers;
  v_parts text[] := v_answers;
  v_account text;
  v_live boolean;
  v_day_calls integer;
  v_month_calls integer;
  v_has_sources boolean := false;
  v_names text[];
  v_left bigint[];
  v_available bigint;
  -- What is written at the end: of wallets, of books, of keys.
  w_account text[] := '{}'; w_live boolean[] := '{}'; w_day integer[] := '{}';
  w_month integer[] := '{}'; w integer := 0;
  b_account text[] := '{}'; b_live boolean[] := '{}'; b_name text[] := '{}';
  b_taken bigint[] := '{}'; b_first integer := 1; b integer;
  k_account text[] := '{}'; k_live boolean[] := '{}'; k_key text[] := '{}';
  k_spent bigint[] := '{}'; k_first integer := 1; k integer;
  v_known boolean; v_day_spent bigint; v_month_spent bigint; v_total_spent bigint;
  v_last text; v_last_k integer;
  v_spent bigint;
  v_need bigint;
  v_take bigint;
  v_line text; v_line_parts text;
  s integer;
  r record;
BEGIN
  FOR r IN
    SELECT x.account_id, x.livemode, CASE WHEN x.day = p_day THEN x.day_calls ELSE 0 END AS today,
      CASE WHEN x.month = p_month THEN x.month_calls ELSE 0 END AS this_month
    FROM wallets x WHERE (x.account_id, x.livemode) IN (
      SELECT a.account_id, a.livemode FROM unnest(p_account, p_live) AS a(account_id, livemode))
    ORDER BY x.account_id, x.livemode FOR NO KEY UPDATE
  LOOP
    w := w + 1;
    w_account[w] := r.account_id; w_live[w] := r.livemode;
    w_day[w] := r.today; w_month[w] := r.this_month;
  END LOOP;
  w := 0;
  IF p_again THEN
    FOR r IN
      SELECT t.i, c.state, c.books, c.parts, w.day_calls, w.month_calls
      FROM unnest(p_request) WITH ORDINALITY AS t(request_id, i)
      JOIN calls c ON c.request_id = t.request_id
      JOIN wallets w ON w.account_id = c.account_id AND w.livemode = c.livemode
    LOOP
      v_answers[r.i] := CASE WHEN r.state = 'held' THEN concat_ws('|', 'opened',
        array_to_string(r.books, ','), array_to_string(r.parts, ','), r.day_calls,
        r.month_calls) ELSE 'gone' END;
    END LOOP;
  END IF;
  IF array_remove(p_idempotency, NULL) <> '{}' THEN
    FOR r IN
      SELECT t.i, ledger_taken(c.state, c.fingerprint, t.fingerprint, c.request_id, c.status,
        c.completed_at) AS answer
      FROM unnest(p_account, p_live, p_idempotency, p_fingerprint) WITH ORDINALITY
        AS t(account_id, livemode, key, fingerprint, i)
      JOIN calls c ON c.idempotency_key = t.key
        AND c.account_id IS NOT DISTINCT FROM t.account_id
        AND c.livemode IS NOT DISTINCT FROM t.livemode
    LOOP
      v_answers[r.i] := coalesce(v_answers[r.i], r.answer);
    END LOOP;
  END IF;

  FOR r IN
    SELECT * FROM unnest(p_account, p_live, p_key, p_amount, p_budget, p_period, p_day_quota,
      p_month_quota) WITH ORDINALITY
      AS t(account_id, livemode, key_id, amount, budget, period, day_quota, month_quota, i)
  LOOP
    IF w = 0 OR r.account_id <> v_account OR r.livemode <> v_live THEN
      v_account := r.account_id;
      v_live := r.livemode;
      v_has_sources := false;
      v_last := NULL;
      k_first := cardinality(k_key) + 1;
      w := w + 1;
      IF w_account[w] IS DISTINCT FROM v_account OR w_live[w] IS DISTINCT FROM v_live THEN
        -- A wallet that is new: it is made, and all of this is asked again.
        PERFORM ledger_lock(p_account, p_live);
        RETURN ledger_open(p_now, p_day, p_day_ends, p_month, p_allowance, p_again, p_request,
          p_account, p_live, p_key, p_capability, p_sku, p_price_version, p_unit, p_quantity,
          p_amount, p_max_charge, p_budget, p_period, p_idempotency, p_fingerprint, p_day_quota,
          p_month_quota, p_deadline);
      END IF;
      v_day_calls := w_day[w];
      v_month_calls := w_month[w];
    END IF;
    CONTINUE WHEN v_answers[r.i] IS NOT NULL;
    IF v_day_calls >= r.day_quota OR v_month_calls >= r.month_quota THEN
      v_answers[r.i] := concat_ws('|', 'quota',
        CASE WHEN v_month_calls >= r.month_quota THEN 'month' ELSE 'day' END,
        v_day_calls, v_month_calls);
      CONTINUE;
    END IF;
    v_line := '';
    v_line_parts := '';
    IF r.amount > 0 THEN
      IF NOT v_has_sources THEN
        LOOP
          SELECT array_agg(y.name), array_agg(y.available) INTO v_names, v_left FROM (
            SELECT x.name, x.available FROM books x
            WHERE x.account_id = v_account AND x.livemode = v_live AND x.expires_at > p_now
            ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
              x.expires_at, x.opened_at, x.name
          ) AS y;
          EXIT WHEN 'allowance:' || p_day = ANY (v_names);
          PERFORM ledger_begin_day(v_account, v_live, p_now, p_day, p_day_ends, p_allowance);
        END LOOP;
        v_available := 0;
        b_first := cardinality(b_name);
        FOR s IN 1..coalesce(cardinality(v_names), 0) LOOP
          v_available := v_available + v_left[s];
          b := b_first + s;
          b_account[b] := v_account; b_live[b] := v_live; b_name[b] := v_names[s];
          b_taken[b] := 0;
        END LOOP;
        v_has_sources := true;
      END IF;
      IF v_last IS DISTINCT FROM r.key_id THEN
        k := array_position(k_key, r.key_id, k_first);
        IF k IS NULL THEN
          k := cardinality(k_key) + 1;
          k_account[k] := v_account; k_live[k] := v_live; k_key[k] := r.key_id;
          k_spent[k] := 0;
        END IF;
        v_last := r.key_id;
        v_last_k := k;
        v_known := false;
      END IF;
      k := v_last_k;
      IF r.budget IS NOT NULL THEN
        -- Read once per run of one key: what this batch adds is in k_spent.
        IF NOT v_known THEN
          v_known := true;
          SELECT CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
            CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END, x.total_spent
          INTO v_day_spent, v_month_spent, v_total_spent
          FROM key_spending x WHERE x.account_id = v_account AND x.livemode = v_live
            AND x.key_id = r.key_id;
        END IF;
        v_spent := k_spent[k] + coalesce(CASE r.period WHEN 'day' THEN v_day_spent
          WHEN 'month' THEN v_month_spent ELSE v_total_spent END, 0);
        IF v_spent + r.amount > r.budget THEN
          v_answers[r.i] := concat_ws('|', 'budget', r.amount, greatest(r.budget - v_spent, 0));
          CONTINUE;
        END IF;
      END IF;
      IF v_available < r.amount THEN
        v_answers[r.i] := concat_ws('|', 'insufficient', r.amount, v_available);
        CONTINUE;
      END IF;
      v_available := v_available - r.amount;
      k_spent[k] := k_spent[k] + r.amount;
      v_need := r.amount;
      s := 0;
      WHILE v_need > 0 LOOP
        s := s + 1;
        v_take := v_left[s];
        CONTINUE WHEN v_take = 0;
        IF v_take > v_need THEN v_take := v_need; END IF;
        v_left[s] := v_left[s] - v_take;
        b_taken[b_first + s] := b_taken[b_first + s] + v_take;
        v_need := v_need - v_take;
        IF v_line = '' THEN
          v_line := v_names[s];
          v_line_parts := v_take;
        ELSE
          v_line := v_line || ',' || v_names[s];
          v_line_parts := v_line_parts || ',' || v_take;
        END IF;
      END LOOP;
    END IF;
    v_day_calls := v_day_calls + 1;
    v_month_calls := v_month_calls + 1;
    w_day[w] := v_day_calls;
    w_month[w] := v_month_calls;
    v_books[r.i] := '{' || v_line || '}';
    v_parts[r.i] := '{' || v_line_parts || '}';
    v_answers[r.i] := 'opened|' || v_line || '|' || v_line_parts || '|' || v_day_calls || '|'
      || v_month_calls;
  END LOOP;

  INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
    unit, quantity, amount, max_charge, budget, budget_period, books, parts, idempotency_key,
    fingerprint, state, day, opened_at, deadline_at)
  SELECT t.request_id, t.account_id, t.livemode, t.key_id, t.capability, t.sku, t.price_version,
    t.unit, t.quantity, t.amount, t.max_charge, t.budget, t.period, t.books::text[],
    t.parts::bigint[], t.key, t.fingerprint, 'held', p_day, p_now, t.deadline
  FROM unnest(p_request, p_account, p_live, p_key, p_capability, p_sku, p_price_version, p_unit,
    p_quantity, p_amount, p_max_charge, p_budget, p_period, p_idempotency, p_fingerprint,
    p_deadline, v_books, v_parts)
    AS t(request_id, account_id, livemode, key_id, capability, sku, price_version, unit, quantity,
      amount, max_charge, budget, period, key, fingerprint, deadline, books, parts)
  WHERE t.books IS NOT NULL;
  IF NOT FOUND THEN RETURN array_to_string(v_answers, E'\n'); END IF;
  INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
  SELECT t.account_id, t.livemode, p_now, min(t.deadline)
  FROM unnest(p_account, p_live, p_deadline, v_books) AS t(account_id, livemode, deadline, books)
  WHERE t.books IS NOT NULL GROUP BY 1, 2;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  SELECT t.account_id, t.livemode, 'reserve', p_now, array_agg(m.book ORDER BY t.i, m.place),
    array_agg('held:' || m.book ORDER BY t.i, m.place),
    array_agg(m.part ORDER BY t.i, m.place), array_agg(t.request_id ORDER BY t.i, m.place)
  FROM unnest(p_request, p_account, p_live, v_books, v_parts) WITH ORDINALITY
    AS t(request_id, account_id, livemode, books, parts, i)
  CROSS JOIN LATERAL unnest(t.books::text[], t.parts::bigint[]) WITH ORDINALITY
    AS m(book, part, place)
  GROUP BY 1, 2 ORDER BY 1, 2;
  IF FOUND THEN
    UPDATE books x SET available = x.available - t.taken, held = x.held + t.taken
    FROM unnest(b_account, b_live, b_name, b_taken) AS t(account_id, livemode, name, taken)
    WHERE t.taken > 0 AND x.account_id = t.account_id AND x.livemode = t.livemode
      AND x.name = t.name;
    INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
      month_spent, total_spent)
    SELECT t.account_id, t.livemode, t.key_id, p_day, t.spent, p_month, t.spent, t.spent
    FROM unnest(k_account, k_live, k_key, k_spent) AS t(account_id, livemode, key_id, spent)
    WHERE t.spent > 0
    ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
      day_spent = excluded.day_spent + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
      month_spent = excluded.month_spent
        + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
      total_spent = excluded.total_spent + x.total_spent, day = p_day, month = p_month;
  END IF;
  UPDATE wallets x SET day = p_day, day_calls = t.day_calls, month = p_month,
    month_calls = t.month_calls
  FROM unnest(w_account, w_live, w_day, w_month)
    AS t(account_id, livemode, day_calls, month_calls)
  WHERE x.account_id = t.account_id AND x.livemode = t.livemode;
  RETURN array_to_string(v_answers, E'\n');
END $$;

-- The common batch, by sets: calls of one wallet and key, all priced, none with a budget; what they
-- have in common comes once, by its number in `p_kind`. When the day has begun, no quota is near,
-- no idempotency key is taken and the first source that has anything covers all, they are opened:
-- `plain|book|calls before today|calls before this month`. Else `ledger_open` says what it is.
CREATE FUNCTION ledger_open_plain(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_month text, p_allowance bigint,
  p_account text, p_live boolean, p_key text, p_count integer, p_total bigint,
  p_least_day integer, p_least_month integer, p_first_deadline timestamptz,
  p_request text[], p_amount bigint[], p_idempotency text[], p_fingerprint text[],
  p_deadline timestamptz[], p_kind integer[], p_capability text[], p_sku text[],
  p_price_version integer[], p_unit text[], p_quantity bigint[], p_max_charge bigint[],
  p_day_quota integer[], p_month_quota integer[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_day_calls integer;
  v_month_calls integer;
  v_book text;
BEGIN
  UPDATE wallets x SET day_calls = x.day_calls + p_count, month_calls = x.month_calls + p_count
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.day = p_day AND x.month = p_month
    AND x.begun = p_day AND x.day_calls + p_count <= p_least_day
    AND x.month_calls + p_count <= p_least_month
  RETURNING x.day_calls, x.month_calls INTO v_day_calls, v_month_calls;
  IF FOUND THEN
    SELECT y.name INTO v_book FROM (
      SELECT x.name, x.available FROM books x
      WHERE x.account_id = p_account AND x.livemode = p_live AND x.expires_at > p_now
        AND x.available > 0
      ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
        x.expires_at, x.opened_at, x.name LIMIT 1
    ) AS y
    WHERE y.available >= p_total AND NOT EXISTS (
      SELECT FROM calls c WHERE c.idempotency_key = ANY (p_idempotency)
        AND c.idempotency_key IS NOT NULL AND c.account_id IS NOT DISTINCT FROM p_account
        AND c.livemode IS NOT DISTINCT FROM p_live);
    IF FOUND THEN
      WITH b AS (
        UPDATE books x SET available = x.available - p_total, held = x.held + p_total
        WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_book
      ), k AS (
        INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
          month_spent, total_spent)
        VALUES (p_account, p_live, p_key, p_day, p_total, p_month, p_total, p_total)
        ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
          day_spent = p_total + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
          month_spent = p_total + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
          total_spent = p_total + x.total_spent, day = p_day, month = p_month
      ), e AS (
        INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
        VALUES (p_account, p_live, 'reserve', p_now, array_fill(v_book, ARRAY[p_count]),
          array_fill('held:' || v_book, ARRAY[p_count]), p_amount, p_request)
      ), d AS (
        INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
        VALUES (p_account, p_live, p_now, p_first_deadline)
      )
      INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
        unit, quantity, amount, max_charge, books, parts, idempotency_key, fingerprint, state, day,
        opened_at, deadline_at)
      SELECT t.request_id, p_account, p_live, p_key, p_capability[t.kind], p_sku[t.kind],
        p_price_version[t.kind], p_unit[t.kind], p_quantity[t.kind], t.amount,
        p_max_charge[t.kind], ARRAY[v_book], ARRAY[t.amount], t.key, t.fingerprint, 'held', p_day,
        p_now, t.deadline
      FROM unnest(p_request, p_amount, p_idempotency, p_fingerprint, p_deadline, p_kind)
        AS t(request_id, amount, key, fingerprint, deadline, kind);
      RETURN 'plain|' || v_book || '|' || v_day_calls - p_count || '|' || v_month_calls - p_count;
    END IF;
    UPDATE wallets x SET day_calls = x.day_calls - p_count, month_calls = x.month_calls - p_count
    WHERE x.account_id = p_account AND x.livemode = p_live;
  END IF;
  RETURN (
    SELECT ledger_open(p_now, p_day, p_day_ends, p_month, p_allowance, false, p_request,
      array_fill(p_account, ARRAY[p_count]), array_fill(p_live, ARRAY[p_count]),
      array_fill(p_key, ARRAY[p_count]), array_agg(p_capability[t.kind] ORDER BY t.i),
      array_agg(p_sku[t.kind] ORDER BY t.i), array_agg(p_price_version[t.kind] ORDER BY t.i),
      array_agg(p_unit[t.kind] ORDER BY t.i), array_agg(p_quantity[t.kind] ORDER BY t.i),
      p_amount, array_agg(p_max_charge[t.kind] ORDER BY t.i),
      array_fill(NULL::bigint, ARRAY[p_count]), array_fill(NULL::text, ARRAY[p_count]),
      p_idempotency, p_fingerprint, array_agg(p_day_quota[t.kind] ORDER BY t.i),
      array_agg(p_month_quota[t.kind] ORDER BY t.i), p_deadline)
    FROM unnest(p_kind) WITH ORDINALITY AS t(kind, i));
END $$;

-- What the holder of an idempotency key answers to another request that brings it.
CREATE FUNCTION ledger_taken(
  p_state text, p_fingerprint text, p_asked text, p_request text, p_status integer,
  p_completed timestamptz
) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_fingerprint <> p_asked THEN 'reused|' || p_request
    WHEN p_state IN ('held', 'unknown') THEN 'in_progress|' || p_request
    ELSE 'duplicate|' || p_request || '|' || p_status || '|'
      || (extract(epoch FROM p_completed) * 1000)::bigint END
$$;

-- Resolves holds: `captured` takes what was used, in spending order, and stores the answer;
-- `released` and `expired` (by recovery) take nothing, free the key and give the quota back. What
-- is not captured goes back to its own sources in reverse order. Answers one line per request:
-- `done`, or `lost` when the hold had been resolved otherwise. The same capture again is `done`.
CREATE FUNCTION ledger_resolve(
  p_now timestamptz, p_kept_until timestamptz, p_goodwill_until timestamptz,
  p_request text[], p_outcome text[], p_captured bigint[], p_usage text[], p_status integer[],
  p_code text[], p_content_type text[], p_body bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_answers text[] := array_fill('lost'::text, ARRAY[cardinality(p_request)]);
  v_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_request)]);
  v_account text;
  v_live boolean;
  e_account text[] := '{}'; e_live boolean[] := '{}'; e_kind text[] := '{}';
  e_request text[] := '{}'; e_sources text[] := '{}'; e_targets text[] := '{}';
  e_amounts text[] := '{}'; e integer := 0;
  b_account text[] := '{}'; b_live boolean[] := '{}'; b_name text[] := '{}';
  b_available bigint[] := '{}'; b_held bigint[] := '{}'; b_first integer := 1; b integer;
  v_returns boolean := false;
  v_spent_less boolean := false;
  v_done integer := 0;
  v_count integer;
  v_left bigint;
  v_part bigint;
  v_back bigint;
  v_sources text; v_targets text; v_amounts text;
  v_back_sources text; v_back_targets text; v_back_amounts text;
  v_revenue bigint;
  s integer;
  r record;
BEGIN
  PERFORM FROM wallets w
  WHERE (w.account_id, w.livemode) IN (
    SELECT x.account_id, x.livemode FROM unnest(p_request) AS t(request_id)
    JOIN calls x ON x.request_id = t.request_id)
  ORDER BY w.account_id, w.livemode FOR NO KEY UPDATE;
  FOR r IN
    SELECT t.i, t.outcome, t.captured AS charge, t.body, c.request_id, c.account_id, c.livemode,
      c.sku, c.state, c.amount, c.books, c.parts
    FROM unnest(p_request, p_outcome, p_captured, p_body) WITH ORDINALITY
      AS t(request_id, outcome, captured, body, i)
    JOIN calls c ON c.request_id = t.request_id
    ORDER BY c.account_id, c.livemode, t.i
  LOOP
    IF r.state NOT IN ('held', 'unknown') THEN
      IF r.state = r.outcome AND (r.state <> 'captured' OR EXISTS (
        SELECT FROM answers a WHERE a.request_id = r.request_id AND a.body = r.body)) THEN
        v_answers[r.i] := 'done';
      END IF;
      CONTINUE;
    END IF;
    v_left := CASE WHEN r.outcome = 'captured' THEN r.charge ELSE 0 END;
    IF v_left < 0 OR v_left > r.amount OR (v_left > 0 AND r.sku IS NULL) THEN
      RAISE EXCEPTION '% cannot be captured of % held for %', v_left, r.amount, r.request_id;
    END IF;
    v_done := v_done + 1;
    v_answers[r.i] := 'done';
    v_outcome[r.i] := r.outcome;
    IF r.account_id IS DISTINCT FROM v_account OR r.livemode IS DISTINCT FROM v_live THEN
      v_account := r.account_id;
      v_live := r.livemode;
      b_first := cardinality(b_name) + 1;
    END IF;
    v_spent_less := v_spent_less OR v_left < r.amount OR r.outcome <> 'captured';
    CONTINUE WHEN r.amount = 0;
    v_revenue := v_left;
    v_sources := ''; v_targets := ''; v_amounts := '';
    v_back_sources := ''; v_back_targets := ''; v_back_amounts := '';
    FOR s IN 1..cardinality(r.books) LOOP
      v_part := least(r.parts[s], v_left);
      v_back := r.parts[s] - v_part;
      v_left := v_left - v_part;
      b := array_position(b_name, r.books[s], b_first);
      IF b IS NULL THEN
        b := cardinality(b_name) + 1;
        b_account[b] := v_account; b_live[b] := v_live; b_name[b] := r.books[s];
        b_available[b] := 0; b_held[b] := 0;
      END IF;
      b_held[b] := b_held[b] - r.parts[s];
      IF v_part > 0 THEN
        v_sources := v_sources || ',held:' || r.books[s];
        v_targets := v_targets || ',revenue:' || r.sku;
        v_amounts := v_amounts || ',' || v_part;
      END IF;
      IF v_back > 0 THEN
        v_returns := true;
        b_available[b] := b_available[b] + v_back;
        v_back_sources := ',held:' || r.books[s] || v_back_sources;
        v_back_targets := ',' || r.books[s] || v_back_targets;
        v_back_amounts := ',' || v_back || v_back_amounts;
      END IF;
    END LOOP;
    IF v_revenue > 0 THEN
      b := array_position(b_name, 'revenue:' || r.sku, b_first);
      IF b IS NULL THEN
        b := cardinality(b_name) + 1;
        b_account[b] := v_account; b_live[b] := v_live; b_name[b] := 'revenue:' || r.sku;
        b_available[b] := 0; b_held[b] := 0;
      END IF;
      b_available[b] := b_available[b] + v_revenue;
    END IF;
    e := e + 1;
    e_account[e] := v_account; e_live[e] := v_live; e_request[e] := r.request_id;
    e_kind[e] := CASE WHEN r.outcome = 'captured' THEN 'capture' ELSE 'release' END;
    e_sources[e] := '{' || substr(v_sources || v_back_sources, 2) || '}';
    e_targets[e] := '{' || substr(v_targets || v_back_targets, 2) || '}';
    e_amounts[e] := '{' || substr(v_amounts || v_back_amounts, 2) || '}';
  END LOOP;
  IF v_done = 0 THEN RETURN array_to_string(v_answers, E'\n'); END IF;

  IF v_spent_less THEN
    -- Before the calls change, while their keys and days can be read with what they held.
    UPDATE key_spending x SET day_spent = x.day_spent - t.day,
      month_spent = x.month_spent - t.month, total_spent = x.total_spent - t.total
    FROM (
      SELECT g.account_id, g.livemode, g.key_id, sum(g.back)::bigint AS total,
        sum(CASE WHEN g.day = k.day THEN g.back ELSE 0 END)::bigint AS day,
        sum(CASE WHEN left(g.day, 7) = k.month THEN g.back ELSE 0 END)::bigint AS month
      FROM (
        SELECT c.account_id, c.livemode, c.key_id, c.day,
          c.amount - CASE WHEN u.outcome = 'captured' THEN u.captured ELSE 0 END AS back
        FROM unnest(p_request, v_outcome, p_captured) AS u(request_id, outcome, captured)
        JOIN calls c ON c.request_id = u.request_id WHERE u.outcome IS NOT NULL
      ) AS g
      JOIN key_spending k ON k.account_id = g.account_id AND k.livemode = g.livemode
        AND k.key_id = g.key_id
      WHERE g.back > 0 GROUP BY 1, 2, 3
    ) AS t
    WHERE x.account_id = t.account_id AND x.livemode = t.livemode AND x.key_id = t.key_id;
    UPDATE wallets x SET
      day_calls = x.day_calls - least(x.day_calls, t.today),
      month_calls = x.month_calls - least(x.month_calls, t.this_month)
    FROM (
      SELECT c.account_id, c.livemode, count(*) FILTER (WHERE c.day = o.day)::integer AS today,
        count(*) FILTER (WHERE left(c.day, 7) = o.month)::integer AS this_month
      FROM unnest(p_request, v_outcome) AS u(request_id, outcome)
      JOIN calls c ON c.request_id = u.request_id
      JOIN wallets o ON o.account_id = c.account_id AND o.livemode = c.livemode
      WHERE u.outcome IN ('released', 'expired') GROUP BY 1, 2
    ) AS t
    WHERE x.account_id = t.account_id AND x.livemode = t.livemode;
  END IF;
  UPDATE calls c SET state = t.outcome, completed_at = p_now, status = t.status, code = t.code,
    usage = t.usage::jsonb, captured = CASE WHEN t.outcome = 'captured' THEN t.captured END,
    idempotency_key = CASE WHEN t.outcome = 'captured' THEN c.idempotency_key END,
    freed_key = CASE WHEN t.outcome <> 'captured' THEN c.idempotency_key END
  FROM unnest(p_request, v_outcome, p_captured, p_usage, p_status, p_code)
    AS t(request_id, outcome, captured, usage, status, code)
  WHERE c.request_id = t.request_id AND t.outcome IS NOT NULL;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF v_count <> v_done THEN RAISE EXCEPTION 'a hold was resolved twice in one batch'; END IF;
  INSERT INTO answers (request_id, content_type, body, kept_until)
  SELECT t.request_id, t.content_type, t.body, p_kept_until
  FROM unnest(p_request, v_outcome, p_content_type, p_body)
    AS t(request_id, outcome, content_type, body)
  WHERE t.outcome = 'captured' AND t.body IS NOT NULL;
  IF e = 0 THEN RETURN array_to_string(v_answers, E'\n'); END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  SELECT t.account_id, t.livemode, t.kind, p_now, array_agg(m.source ORDER BY t.i, m.place),
    array_agg(m.target ORDER BY t.i, m.place), array_agg(m.amount ORDER BY t.i, m.place),
    array_agg(t.request_id ORDER BY t.i, m.place)
  FROM unnest(e_account, e_live, e_kind, e_request, e_sources, e_targets, e_amounts)
    WITH ORDINALITY AS t(account_id, livemode, kind, request_id, sources, targets, amounts, i)
  CROSS JOIN LATERAL unnest(t.sources::text[], t.targets::text[], t.amounts::bigint[])
    WITH ORDINALITY AS m(source, target, amount, place)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
  UPDATE books x SET available = x.available + t.available, held = x.held + t.held
  FROM unnest(b_account, b_live, b_name, b_available, b_held)
    AS t(account_id, livemode, name, available, held)
  WHERE x.account_id = t.account_id AND x.livemode = t.livemode AND x.name = t.name;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF v_count < cardinality(b_name) THEN
    INSERT INTO books (account_id, livemode, name, kind, available, held, issued, opened_at)
    SELECT t.account_id, t.livemode, t.name, 'platform', t.available, 0, 0, p_now
    FROM unnest(b_account, b_live, b_name, b_available) AS t(account_id, livemode, name, available)
    WHERE t.name LIKE 'revenue:%' AND NOT EXISTS (SELECT FROM books x
      WHERE x.account_id = t.account_id AND x.livemode = t.livemode AND x.name = t.name);
  END IF;
  IF v_returns THEN
    PERFORM ledger_return_expired(p_now, p_goodwill_until, p_request, v_outcome, p_status);
  END IF;
  RETURN array_to_string(v_answers, E'\n');
END $$;

-- The common batch of captures, by sets: all that was held of one wallet, from one book and for one
-- sku, by calls that the caller knows to be like that; what their answers share comes once,
-- by its number in `p_kind`. When one of them is not like that, nothing happens and it fails: then
-- `ledger_resolve` says what it is.
CREATE FUNCTION ledger_capture_plain(
  p_now timestamptz, p_kept_until timestamptz, p_account text, p_live boolean, p_book text,
  p_sku text, p_count integer, p_total bigint, p_request text[], p_captured bigint[],
  p_body bytea[], p_kind integer[], p_usage jsonb[], p_status integer[], p_content_type text[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_calls integer;
  v_books integer;
BEGIN
  PERFORM FROM wallets x WHERE x.account_id = p_account AND x.livemode = p_live
  FOR NO KEY UPDATE;
  WITH c AS (
    UPDATE calls c SET state = 'captured', completed_at = p_now, status = p_status[t.kind],
      usage = p_usage[t.kind], captured = t.captured
    FROM unnest(p_request, p_captured, p_kind) AS t(request_id, captured, kind)
    -- By its name alone: a plan made on a small table must not go through the wallet's calls.
    WHERE c.request_id = t.request_id AND c.state = 'held' AND c.amount = t.captured
      AND c.account_id IS NOT DISTINCT FROM p_account
      AND c.livemode IS NOT DISTINCT FROM p_live AND c.amount > 0 AND c.sku = p_sku
      AND c.books = ARRAY[p_book]
    RETURNING 1
  ), b AS (
    UPDATE books x SET held = x.held - CASE WHEN x.name = p_book THEN p_total ELSE 0 END,
      available = x.available + CASE WHEN x.name = p_book THEN 0 ELSE p_total END
    WHERE x.account_id = p_account AND x.livemode = p_live
      AND x.name = ANY (ARRAY[p_book, 'revenue:' || p_sku])
    RETURNING 1
  ), e AS (
    INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
    VALUES (p_account, p_live, 'capture', p_now, array_fill('held:' || p_book, ARRAY[p_count]),
      array_fill('revenue:' || p_sku, ARRAY[p_count]), p_captured, p_request)
  ), a AS (
    INSERT INTO answers (request_id, content_type, body, kept_until)
    SELECT t.request_id, p_content_type[t.kind], t.body, p_kept_until
    FROM unnest(p_request, p_body, p_kind) AS t(request_id, body, kind)
  )
  SELECT (SELECT count(*) FROM c), (SELECT count(*) FROM b) INTO v_calls, v_books;
  IF v_calls <> p_count OR v_books <> 2 THEN
    RAISE EXCEPTION 'not a plain batch of captures';
  END IF;
  RETURN 'plain';
END $$;

-- Money that came back to a book that is over: it expires, and where the failure was ours (a
-- status of 5xx) vouchers are made good by a new one.
CREATE FUNCTION ledger_return_expired(
  p_now timestamptz, p_goodwill_until timestamptz, p_request text[], p_outcome text[],
  p_status integer[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_name text;
  r record;
BEGIN
  FOR r IN
    SELECT c.account_id, c.livemode, c.request_id, coalesce(sum(p.part) FILTER (
      WHERE b.kind = 'voucher' AND u.outcome <> 'captured' AND u.status >= 500), 0)::bigint AS good
    FROM unnest(p_request, p_outcome, p_status) AS u(request_id, outcome, status)
    JOIN calls c ON c.request_id = u.request_id
    CROSS JOIN LATERAL unnest(c.books, c.parts) AS p(book, part)
    JOIN books b ON b.account_id = c.account_id AND b.livemode = c.livemode AND b.name = p.book
    WHERE u.outcome IS NOT NULL AND b.expires_at <= p_now
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    PERFORM ledger_expire(r.account_id, r.livemode, p_now);
    CONTINUE WHEN r.good = 0;
    v_name := 'voucher:goodwill-' || r.request_id;
    PERFORM ledger_book(r.account_id, r.livemode, v_name, p_goodwill_until, p_now, 'Goodwill',
      r.good);
    PERFORM ledger_post(r.account_id, r.livemode, 'goodwill', r.request_id, p_now,
      ARRAY['promotions'], ARRAY[v_name], ARRAY[r.good], NULL,
      'a voucher expired while it was held for a call that failed', NULL);
  END LOOP;
END $$;

-- Changes a hold to the measured price. Answers `held|books|parts`; `lost` when it is resolved
-- already; `insufficient|required|available` after releasing it.
CREATE FUNCTION ledger_remeasure(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_allowance bigint,
  p_goodwill_until timestamptz, p_request text, p_quantity bigint, p_amount bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  v_need bigint;
  v_take bigint;
  v_available bigint;
  v_spent bigint;
  v_names text[];
  v_left bigint[];
  v_sources text[] := '{}'; v_targets text[] := '{}'; v_amounts bigint[] := '{}';
  v_books text[];
  v_parts bigint[];
  s integer;
BEGIN
  SELECT * INTO c FROM calls x WHERE x.request_id = p_request;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  PERFORM ledger_lock(ARRAY[c.account_id], ARRAY[c.livemode]);
  SELECT * INTO c FROM calls x WHERE x.request_id = p_request;
  IF c.state NOT IN ('held', 'unknown') THEN RETURN 'lost'; END IF;
  v_need := p_amount - c.amount;
  v_books := c.books;
  v_parts := c.parts;
  v_available := NULL;
  IF c.max_charge < p_amount THEN
    v_available := c.max_charge;
  ELSIF v_need > 0 THEN
    SELECT CASE c.budget_period
      WHEN 'day' THEN CASE WHEN k.day = p_day THEN k.day_spent ELSE 0 END
      WHEN 'month' THEN CASE WHEN k.month = left(p_day, 7) THEN k.month_spent ELSE 0 END
      ELSE k.total_spent END INTO v_spent
    FROM key_spending k WHERE k.account_id = c.account_id AND k.livemode = c.livemode
      AND k.key_id = c.key_id;
    IF coalesce(v_spent, 0) + v_need > c.budget THEN
      v_available := greatest(c.budget - coalesce(v_spent, 0), 0) + c.amount;
    ELSE
      IF NOT EXISTS (SELECT FROM books x WHERE x.account_id = c.account_id
        AND x.livemode = c.livemode AND x.name = 'allowance:' || p_day) THEN
        PERFORM ledger_begin_day(c.account_id, c.livemode, p_now, p_day, p_day_ends, p_allowance);
      END IF;
      SELECT x.names, x.amounts INTO v_names, v_left
      FROM ledger_sources(c.account_id, c.livemode, p_now) AS x;
      FOR s IN 1..coalesce(cardinality(v_names), 0) LOOP
        v_take := least(v_left[s], v_need);
        CONTINUE WHEN v_take = 0;
        v_need := v_need - v_take;
        v_sources := v_sources || v_names[s];
        v_targets := v_targets || ('held:' || v_names[s]);
        v_amounts := v_amounts || v_take;
      END LOOP;
      IF v_need > 0 THEN v_available := p_amount - v_need; END IF;
    END IF;
  END IF;
  IF v_available IS NOT NULL THEN
    PERFORM ledger_resolve(p_now, p_now, p_goodwill_until, ARRAY[p_request], ARRAY['released'],
      ARRAY[0::bigint], ARRAY[NULL::text], ARRAY[402], ARRAY['insufficient_balance'],
      ARRAY[NULL::text], ARRAY[NULL::bytea]);
    RETURN concat_ws('|', 'insufficient', p_amount, v_available);
  END IF;
  v_need := c.amount - p_amount;
  FOR s IN REVERSE cardinality(c.books)..1 LOOP
    v_take := least(c.parts[s], v_need);
    CONTINUE WHEN v_take <= 0;
    v_need := v_need - v_take;
    v_sources := v_sources || ('held:' || c.books[s]);
    v_targets := v_targets || c.books[s];
    v_amounts := v_amounts || v_take;
  END LOOP;
  IF cardinality(v_amounts) > 0 THEN
    PERFORM ledger_post(c.account_id, c.livemode, 'remeasure', p_request, p_now, v_sources,
      v_targets, v_amounts, NULL, NULL, NULL);
    SELECT coalesce(array_agg(m.name ORDER BY m.place), '{}'),
      coalesce(array_agg(m.part ORDER BY m.place), '{}') INTO v_books, v_parts
    FROM (
      SELECT b.name, sum(h.part)::bigint AS part, row_number() OVER (ORDER BY
        CASE b.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
        b.expires_at, b.opened_at, b.name) AS place
      FROM (
        SELECT 'held:' || o.book, o.part FROM unnest(c.books, c.parts) AS o(book, part)
        UNION ALL SELECT t.target, t.amount FROM unnest(v_targets, v_amounts) AS t(target, amount)
        UNION ALL SELECT t.source, -t.amount FROM unnest(v_sources, v_amounts) AS t(source, amount)
      ) AS h(held, part)
      JOIN books b ON b.account_id = c.account_id AND b.livemode = c.livemode
        AND 'held:' || b.name = h.held
      GROUP BY b.name, b.kind, b.expires_at, b.opened_at HAVING sum(h.part) > 0
    ) AS m;
    IF p_amount < c.amount THEN
      PERFORM ledger_expire(c.account_id, c.livemode, p_now);
    END IF;
    UPDATE key_spending k SET
      day_spent = k.day_spent + CASE WHEN k.day = c.day THEN p_amount - c.amount ELSE 0 END,
      month_spent = k.month_spent
        + CASE WHEN k.month = left(c.day, 7) THEN p_amount - c.amount ELSE 0 END,
      total_spent = k.total_spent + p_amount - c.amount
    WHERE k.account_id = c.account_id AND k.livemode = c.livemode AND k.key_id = c.key_id;
  END IF;
  UPDATE calls x SET quantity = p_quantity, amount = p_amount, books = v_books, parts = v_parts
  WHERE x.request_id = p_request;
  RETURN concat_ws('|', 'held', array_to_string(v_books, ','), array_to_string(v_parts, ','));
END $$;

-- One transfer from outside of calls: a top-up, a credit, a voucher, a refund. With a reference it
-- counts once. Answers `posted|seq`, `known|seq|amount`, or `insufficient`.
CREATE FUNCTION ledger_transfer(
  p_account text, p_live boolean, p_kind text, p_now timestamptz, p_source text, p_target text,
  p_amount bigint, p_reference text, p_request text, p_reason text, p_actor text, p_label text,
  p_expires timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_amount bigint;
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  SELECT e.seq, e.amounts[1] INTO v_seq, v_amount FROM entries e
  WHERE e.account_id = p_account AND e.livemode = p_live AND e.reference = p_reference;
  IF FOUND THEN RETURN concat_ws('|', 'known', v_seq, v_amount); END IF;
  IF p_source = 'cash' AND NOT EXISTS (SELECT FROM books b WHERE b.account_id = p_account
    AND b.livemode = p_live AND b.name = 'cash' AND b.available >= p_amount) THEN
    RETURN 'insufficient';
  END IF;
  IF p_expires IS NOT NULL THEN
    PERFORM ledger_book(p_account, p_live, p_target, p_expires, p_now, p_label, p_amount);
  END IF;
  v_seq := ledger_post(p_account, p_live, p_kind, p_request, p_now, ARRAY[p_source],
    ARRAY[p_target], ARRAY[p_amount], p_reference, p_reason, p_actor);
  RETURN 'posted|' || v_seq;
END $$;

-- Begins the day of a wallet that was not called yet today.
CREATE FUNCTION ledger_start_day(
  p_account text, p_live boolean, p_now timestamptz, p_day text, p_day_ends timestamptz,
  p_allowance bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  IF NOT EXISTS (SELECT FROM books x WHERE x.account_id = p_account AND x.livemode = p_live
    AND x.name = 'allowance:' || p_day) THEN
    PERFORM ledger_begin_day(p_account, p_live, p_now, p_day, p_day_ends, p_allowance);
  END IF;
END $$;

-- Takes what expired in one wallet out of it.
CREATE FUNCTION ledger_expire_wallet(
  p_account text, p_live boolean, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  RETURN ledger_expire(p_account, p_live, p_now);
END $$;

-- Recovery takes holds past their deadline, each for itself until `p_until`; two workers never take
-- the same one. About `p_most` of them: a batch is taken as a whole.
CREATE FUNCTION ledger_claim_overdue(
  p_now timestamptz, p_until timestamptz, p_most integer
) RETURNS SETOF calls LANGUAGE plpgsql AS $$
DECLARE
  v_next timestamptz;
  v_claimed integer := 0;
  v_count integer;
  d record;
BEGIN
  DELETE FROM deadlines WHERE ctid = ANY (ARRAY(
    SELECT x.ctid FROM deadlines x WHERE x.deadline_at <= p_now AND NOT EXISTS (
      SELECT FROM calls c WHERE c.account_id = x.account_id AND c.livemode = x.livemode
        AND c.opened_at = x.opened_at AND c.state IN ('held', 'unknown'))
    FOR UPDATE SKIP LOCKED));
  FOR d IN
    SELECT x.ctid AS place, x.* FROM deadlines x WHERE x.deadline_at <= p_now
    ORDER BY x.deadline_at FOR UPDATE SKIP LOCKED
  LOOP
    RETURN QUERY UPDATE calls SET deadline_at = p_until WHERE request_id IN (
      SELECT c.request_id FROM calls c WHERE c.account_id = d.account_id
        AND c.livemode = d.livemode AND c.opened_at = d.opened_at
        AND c.state IN ('held', 'unknown') AND c.deadline_at <= p_now
      FOR UPDATE SKIP LOCKED)
    RETURNING *;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    v_claimed := v_claimed + v_count;
    -- What another has in its hands is looked at again when this claim ends.
    SELECT CASE WHEN min(c.deadline_at) <= p_now THEN p_until ELSE min(c.deadline_at) END
    INTO v_next FROM calls c WHERE c.account_id = d.account_id AND c.livemode = d.livemode
      AND c.opened_at = d.opened_at AND c.state IN ('held', 'unknown');
    UPDATE deadlines SET deadline_at = coalesce(v_next, p_until) WHERE ctid = d.place;
    EXIT WHEN v_claimed >= p_most;
  END LOOP;
END $$;

-- Nobody can say yet what became of a call: it stays held, and is asked about again.
CREATE FUNCTION ledger_leave_unknown(p_request text, p_until timestamptz)
RETURNS void LANGUAGE sql AS $$
  UPDATE calls SET state = 'unknown', deadline_at = p_until
  WHERE request_id = p_request AND state IN ('held', 'unknown')
$$;

CREATE FUNCTION ledger_forget_answers(p_now timestamptz) RETURNS void LANGUAGE sql AS $$
  DELETE FROM answers WHERE kept_until <= p_now
$$;

-- Up to which entry the journal can be sealed: whoever was writing has finished, so no smaller
-- number can still appear. The lock lasts as long as one batch, and goes with the transaction.
CREATE FUNCTION ledger_horizon() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE entries IN SHARE MODE;
  RETURN (SELECT coalesce(max(seq), 0) FROM entries);
END $$;

CREATE FUNCTION ledger_digest(p_before bytea, p_first bigint, p_last bigint)
RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(p_before || convert_to(coalesce(string_agg(jsonb_build_array(e.seq, e.account_id,
    e.livemode, e.kind, e.requests, (extract(epoch FROM e.at) * 1000000)::bigint, e.sources,
    e.targets, e.amounts, e.reference, e.reason, e.actor)::text, E'\n' ORDER BY e.seq), ''),
    'UTF8'))
  FROM entries e WHERE e.seq BETWEEN p_first AND p_last
$$;

-- Seals up to `p_most` entries that no seal covers yet, none beyond `p_horizon`. Answers how many.
CREATE FUNCTION ledger_seal(p_now timestamptz, p_horizon bigint, p_most integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_before seals;
  v_first bigint;
  v_last bigint;
  v_count integer;
BEGIN
  LOCK TABLE seals IN EXCLUSIVE MODE;
  SELECT * INTO v_before FROM seals ORDER BY number DESC LIMIT 1;
  v_first := coalesce(v_before.last_seq, 0) + 1;
  SELECT max(t.seq), count(*) INTO v_last, v_count FROM (
    SELECT seq FROM entries WHERE seq >= v_first AND seq <= p_horizon ORDER BY seq LIMIT p_most
  ) AS t;
  IF v_count > 0 THEN
    INSERT INTO seals (number, first_seq, last_seq, entries, hash, sealed_at)
    VALUES (coalesce(v_before.number, 0) + 1, v_first, v_last, v_count,
      ledger_digest(coalesce(v_before.hash, ''), v_first, v_last), p_now);
  END IF;
  RETURN v_count;
END $$;

-- The eleven invariants: each view lists what breaks one, and is empty while it holds.
CREATE SCHEMA ledger_audit;

CREATE VIEW ledger_audit.postings AS
SELECT e.seq, e.account_id, e.livemode, e.kind, m.request_id, e.at, m.line, p.book, p.amount
FROM entries e
CROSS JOIN LATERAL unnest(e.sources, e.targets, e.amounts, e.requests) WITH ORDINALITY
  AS m(source, target, amount, request_id, line)
CROSS JOIN LATERAL (VALUES (m.source, -m.amount), (m.target, m.amount)) AS p(book, amount)
WHERE p.book IS NOT NULL AND p.amount IS NOT NULL;

CREATE VIEW ledger_audit.balanced AS
SELECT 'entry ' || e.seq AS subject,
  format('%s postings with the sum %s', count(p.seq), coalesce(sum(p.amount), 0)) AS detail
FROM entries e LEFT JOIN ledger_audit.postings p ON p.seq = e.seq
GROUP BY e.seq HAVING count(p.seq) < 2 OR sum(p.amount) <> 0;

CREATE VIEW ledger_audit.never_negative AS
SELECT 'entry ' || t.seq AS subject,
  format('%s of %s (livemode %s) is at %s', t.book, t.account_id, t.livemode, t.balance) AS detail
FROM (
  SELECT n.*, sum(n.amount) OVER (PARTITION BY n.account_id, n.livemode, n.book ORDER BY n.seq)
    AS balance
  FROM (
    SELECT seq, account_id, livemode, book, sum(amount) AS amount FROM ledger_audit.postings
    WHERE book ~ '^(held:|cash$|voucher:|allowance:|revenue:|expired$)' GROUP BY 1, 2, 3, 4
  ) AS n
) AS t WHERE t.balance < 0;

CREATE VIEW ledger_audit.cache_is_replay AS
SELECT format('%s of %s (livemode %s)', coalesce(b.name, p.name),
    coalesce(b.account_id, p.account_id), coalesce(b.livemode, p.livemode)) AS subject,
  format('cached %s and %s held, the journal says %s and %s', b.available, b.held, p.available,
    p.held) AS detail
FROM books b
FULL JOIN (
  SELECT account_id, livemode, regexp_replace(book, '^held:', '') AS name,
    coalesce(sum(amount) FILTER (WHERE book NOT LIKE 'held:%'), 0) AS available,
    coalesce(sum(amount) FILTER (WHERE book LIKE 'held:%'), 0) AS held
  FROM ledger_audit.postings GROUP BY 1, 2, 3
) AS p ON p.account_id = b.account_id AND p.livemode = b.livemode AND p.name = b.name
WHERE coalesce(b.available, 0) <> coalesce(p.available, 0)
  OR coalesce(b.held, 0) <> coalesce(p.held, 0);

-- What the journal says about each request: held, taken as revenue, still held, resolutions.
CREATE VIEW ledger_audit.requests AS
SELECT request_id, account_id, livemode,
  coalesce(sum(amount) FILTER (WHERE kind IN ('reserve', 'remeasure')
    AND book LIKE 'held:%'), 0) AS held,
  coalesce(sum(amount) FILTER (WHERE book LIKE 'revenue:%'), 0) AS captured,
  coalesce(sum(amount) FILTER (WHERE book LIKE 'held:%'), 0) AS open,
  count(DISTINCT seq) FILTER (WHERE kind IN ('capture', 'release')) AS resolutions,
  count(DISTINCT seq) FILTER (WHERE kind = 'reserve') AS reserves
FROM ledger_audit.postings
WHERE kind IN ('reserve', 'remeasure', 'capture', 'release') GROUP BY 1, 2, 3;

CREATE VIEW ledger_audit.resolved_once AS
SELECT 'call ' || coalesce(request_id, 'without a name') AS subject,
  format('held %s, captured %s, still held %s, %s resolutions', held, captured, open,
    resolutions) AS detail
FROM ledger_audit.requests
WHERE resolutions > 1 OR captured > held OR captured < 0 OR reserves > 1
  OR (resolutions = 1 AND open <> 0) OR (resolutions = 0 AND open <> held);

CREATE VIEW ledger_audit.captured_once_per_key AS
SELECT format('key %s of %s (livemode %s)', idempotency_key, account_id, livemode) AS subject,
  format('captured by %s', string_agg(request_id, ', ' ORDER BY request_id)) AS detail
FROM calls WHERE state = 'captured' AND idempotency_key IS NOT NULL
GROUP BY account_id, livemode, idempotency_key HAVING count(*) > 1;

CREATE VIEW ledger_audit.allocations_are_the_charge AS
SELECT 'call ' || c.request_id AS subject,
  format('allocations of %s for a hold of %s', s.total, c.amount) AS detail
FROM calls c
CROSS JOIN LATERAL (SELECT coalesce(sum(p), 0) AS total FROM unnest(c.parts) AS p) AS s
WHERE s.total <> c.amount OR cardinality(c.books) <> cardinality(c.parts)
UNION ALL
SELECT 'call ' || coalesce(c.request_id, p.request_id),
  format('%s: %s on the call, %s in the journal', coalesce(c.book, p.book), c.part, p.amount)
FROM (
  SELECT x.request_id, a.book, a.part FROM calls x
  CROSS JOIN LATERAL unnest(x.books, x.parts) AS a(book, part)
) AS c
FULL JOIN (
  SELECT request_id, substr(book, 6) AS book, sum(amount) AS amount FROM ledger_audit.postings
  WHERE kind IN ('reserve', 'remeasure') AND book LIKE 'held:%' GROUP BY 1, 2
  HAVING sum(amount) <> 0
) AS p ON p.request_id = c.request_id AND p.book = c.book
WHERE c.part IS DISTINCT FROM p.amount;

-- Replays every wallet: when money was drawn from a book, those before it had to be empty.
CREATE FUNCTION ledger_audit.spending_out_of_order()
RETURNS TABLE (subject text, detail text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_account text;
  v_live boolean;
  v_names text[];
  v_expires timestamptz[];
  v_balances bigint[];
  v_furthest integer;
  s integer;
  m integer;
  r record;
BEGIN
  FOR r IN SELECT * FROM entries e ORDER BY e.account_id, e.livemode, e.seq LOOP
    IF v_account IS DISTINCT FROM r.account_id OR v_live IS DISTINCT FROM r.livemode THEN
      v_account := r.account_id;
      v_live := r.livemode;
      SELECT coalesce(array_agg(t.name), '{}'), coalesce(array_agg(t.expires_at), '{}')
      INTO v_names, v_expires FROM (
        SELECT b.name, b.expires_at FROM books b
        WHERE b.account_id = r.account_id AND b.livemode = r.livemode AND b.kind <> 'platform'
        ORDER BY CASE b.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
          b.expires_at, b.opened_at, b.name
      ) AS t;
      v_balances := array_fill(0::bigint, ARRAY[cardinality(v_names)]);
    END IF;
    v_furthest := 0;
    FOR m IN 1..cardinality(r.amounts) LOOP
      s := array_position(v_names, r.sources[m]);
      IF s IS NOT NULL THEN
        v_balances[s] := v_balances[s] - r.amounts[m];
        v_furthest := greatest(v_furthest, s);
      END IF;
      s := array_position(v_names, r.targets[m]);
      IF s IS NOT NULL THEN v_balances[s] := v_balances[s] + r.amounts[m]; END IF;
      -- A batch is looked at call by call, each at its own last move.
      CONTINUE WHEN r.kind NOT IN ('reserve', 'remeasure')
        OR (m < cardinality(r.amounts) AND r.requests[m] = r.requests[m + 1]);
      FOR s IN 1..v_furthest - 1 LOOP
        IF v_balances[s] > 0 AND v_expires[s] > r.at THEN
          subject := 'entry ' || r.seq;
          detail := format('%s of %s (livemode %s) was passed over with %s in it', v_names[s],
            v_account, v_live, v_balances[s]);
          RETURN NEXT;
        END IF;
      END LOOP;
      v_furthest := 0;
    END LOOP;
  END LOOP;
END $$;
CREATE VIEW ledger_audit.spending_order AS
SELECT subject, detail FROM ledger_audit.spending_out_of_order();

-- The total that a stored answer says, in micro-fen; null when it says none.
CREATE FUNCTION ledger_audit.answered_total(p_body bytea) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (convert_from(p_body, 'UTF8')::jsonb #>> '{charge,total}')::numeric * 100000000;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;

CREATE VIEW ledger_audit.charged_what_was_answered AS
SELECT 'call ' || c.request_id AS subject,
  format('%s, held %s, captured %s, %s resolutions', c.state, c.amount, c.captured,
    coalesce(r.resolutions, 0)) AS detail
FROM calls c LEFT JOIN ledger_audit.requests r ON r.request_id = c.request_id
WHERE coalesce(r.held, 0) <> c.amount OR coalesce(r.captured, 0) <> coalesce(c.captured, 0)
  OR coalesce(r.resolutions, 0) <>
    CASE WHEN c.amount = 0 OR c.state IN ('held', 'unknown') THEN 0 ELSE 1 END
  OR (c.state = 'captured') <> (c.captured IS NOT NULL)
UNION ALL
SELECT 'call ' || c.request_id, format('captured %s, answered %s', c.captured,
    ledger_audit.answered_total(a.body))
FROM calls c JOIN answers a ON a.request_id = c.request_id
WHERE c.state <> 'captured' OR ledger_audit.answered_total(a.body) <> c.captured
UNION ALL
SELECT 'call ' || r.request_id, 'is in the journal alone'
FROM ledger_audit.requests r
WHERE NOT EXISTS (SELECT FROM calls c WHERE c.request_id = r.request_id
  AND c.account_id = r.account_id AND c.livemode = r.livemode);

CREATE VIEW ledger_audit.revenue_is_price_times_quantity AS
SELECT format('%s of %s (livemode %s)', coalesce(b.name, c.name),
    coalesce(b.account_id, c.account_id), coalesce(b.livemode, c.livemode)) AS subject,
  format('revenue of %s for captures of %s', b.available, c.captured) AS detail
FROM (SELECT * FROM books WHERE name LIKE 'revenue:%') AS b
FULL JOIN (
  SELECT account_id, livemode, 'revenue:' || sku AS name, sum(captured) AS captured FROM calls
  WHERE state = 'captured' AND captured > 0 GROUP BY 1, 2, 3
) AS c ON c.account_id = b.account_id AND c.livemode = b.livemode AND c.name = b.name
WHERE coalesce(b.available, 0) <> coalesce(c.captured, 0)
UNION ALL
SELECT 'call ' || request_id, format('captured %s for %s of %s held at %s', captured,
    usage ->> 'quantity', quantity, amount)
FROM calls WHERE state = 'captured' AND sku IS NOT NULL
  AND captured * quantity IS DISTINCT FROM amount * (usage ->> 'quantity')::numeric
UNION ALL
SELECT format('price %s of %s', price_version, sku),
  format('from %s to %s per unit', min(amount::numeric / quantity), max(amount::numeric / quantity))
FROM calls WHERE sku IS NOT NULL AND quantity > 0 GROUP BY sku, price_version, unit
HAVING min(amount::numeric / quantity) <> max(amount::numeric / quantity);

CREATE VIEW ledger_audit.allowance_within_its_day AS
SELECT format('%s of %s (livemode %s)', p.book, p.account_id, p.livemode) AS subject,
  format('%s were given', sum(p.amount)) AS detail
FROM ledger_audit.postings p WHERE p.kind = 'allowance' AND p.book LIKE 'allowance:%'
GROUP BY p.account_id, p.livemode, p.book HAVING sum(p.amount) > 200000000;

CREATE VIEW ledger_audit.chain_intact AS
SELECT 'seal ' || t.number AS subject,
  format('of entries %s to %s does not match them', t.first_seq, t.last_seq) AS detail
FROM (
  SELECT s.*, lag(s.hash, 1, '') OVER w AS before,
    lag(s.last_seq, 1, 0::bigint) OVER w AS last_before,
    lag(s.number, 1, 0::bigint) OVER w AS number_before
  FROM seals s WINDOW w AS (ORDER BY s.number)
) AS t
WHERE t.number <> t.number_before + 1 OR t.first_seq <> t.last_before + 1
  OR t.hash <> ledger_digest(t.before, t.first_seq, t.last_seq)
  OR t.entries <> (SELECT count(*) FROM entries e WHERE e.seq BETWEEN t.first_seq AND t.last_seq);
