-- AlterTable
ALTER TABLE "DescriptorSet" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;
