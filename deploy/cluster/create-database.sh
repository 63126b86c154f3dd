#!/bin/sh
# Patroni runs this script once, with the address of the new cluster, before other nodes join.
set -eu
psql --dbname "$1" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$KOMA_DATABASE_PASSWORD" <<'SQL'
-- CREATEROLE: Koma creates the restricted role of the bots.
CREATE ROLE koma LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE koma OWNER koma;
-- For KOMA_INDEX=postgres: only a superuser may create pgvector.
\connect koma
CREATE EXTENSION vector;
SQL
