-- Where the strips of the shots are in the stored descriptors, in order of time; episodes that were described
-- before there were strips have none.
CREATE TABLE "vectors"."Strip" (
    "set" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "shot" INTEGER NOT NULL,
    "at" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "chunk" SMALLINT NOT NULL,

    CONSTRAINT "Strip_pkey" PRIMARY KEY ("set", "shot", "number"),
    CONSTRAINT "Strip_set_fkey" FOREIGN KEY ("set") REFERENCES "vectors"."Set"("id") ON DELETE CASCADE
);
