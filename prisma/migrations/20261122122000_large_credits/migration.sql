ALTER TABLE "CreditAccount" ALTER COLUMN "purchased" SET DATA TYPE BIGINT;
ALTER TABLE "CreditEntry" ALTER COLUMN "amount" SET DATA TYPE BIGINT;

-- A balance stays below 2^53, so that JSON numbers represent it exactly.
ALTER TABLE "CreditAccount" DROP CONSTRAINT "CreditAccount_purchased_check";
ALTER TABLE "CreditAccount" ADD CONSTRAINT "CreditAccount_purchased_check"
  CHECK ("purchased" BETWEEN 0 AND 9000000000000000);

-- A dispute that is won restores the credits that it has withdrawn.
ALTER TABLE "CreditEntry" DROP CONSTRAINT "CreditEntry_amount_check";
ALTER TABLE "CreditEntry" ADD CONSTRAINT "CreditEntry_amount_check"
  CHECK (("kind" = 'spend' AND "amount" < 0) OR ("kind" IN ('grant', 'purchase') AND "amount" > 0)
    OR ("kind" = 'refund' AND "amount" <= 0) OR ("kind" = 'reinstatement' AND "amount" >= 0));
