// For Prisma's own commands, such as `npx prisma migrate deploy` or `npx prisma studio`. The program itself
// applies migrations when it starts and does not read this.
export default {
  schema: "../prisma/schema.prisma",
  migrations: { path: "../prisma/migrations" },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
};
