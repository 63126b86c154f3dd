-- Credits taken back with the money. None may be left to take, which is written down as well.
ALTER TABLE "CreditEntry" DROP CONSTRAINT "CreditEntry_amount_check";
ALTER TABLE "CreditEntry" ADD CONSTRAINT "CreditEntry_amount_check"
  CHECK (("kind" = 'spend' AND "amount" < 0) OR ("kind" IN ('grant', 'purchase') AND "amount" > 0)
    OR ("kind" = 'refund' AND "amount" <= 0));
