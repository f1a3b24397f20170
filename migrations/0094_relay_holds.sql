-- A running stream raises its hold. As `ledger_remeasure`, but an amount that is not covered
-- changes nothing: the subtransaction takes the release back.
CREATE FUNCTION ledger_extend(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_allowance bigint,
  p_goodwill_until timestamptz, p_request text, p_quantity bigint, p_amount bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_result text;
BEGIN
  v_result := ledger_remeasure(p_now, p_day, p_day_ends, p_allowance, p_goodwill_until, p_request,
    p_quantity, p_amount);
  IF v_result LIKE 'held|%' OR v_result = 'lost' THEN RETURN v_result; END IF;
  RAISE EXCEPTION USING ERRCODE = 'LX001';
EXCEPTION WHEN SQLSTATE 'LX001' THEN
  RETURN v_result;
END $$;

-- Prices of a service tier; '' for the standard one.
ALTER TABLE model_prices ADD COLUMN variant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE model_prices DROP CONSTRAINT model_prices_pkey;
ALTER TABLE model_prices ADD PRIMARY KEY (version, model, class, from_tokens, variant);
