/** Finds how many connections the server allows, and from how many addresses gateways are connected. */
import { sql } from 'kysely';

/** Null means no limit. A superuser may exceed the limits of user and database. */
export interface ConnectionLimits {
  /** `max_connections` without the connections that the server reserves for other users. */
  server: number;
  /** Connection limit of the user in DATABASE_URL. */
  user: number | null;
  /** Connection limit of the database. */
  database: number | null;
  /** Number of addresses from which other gateways are connected to this database; gateways at the same address are counted once. */
  gateways: number;
}

/** `reserved_connections` exists since PostgreSQL 16. A user sees only the addresses of its own sessions. */
export const CONNECTION_LIMITS = sql`json_build_object(
  'server', current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true)::integer, 0),
  'user', (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
  'database', (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
  'gateways', (select count(distinct coalesce(host(client_addr), 'local')) from pg_stat_activity
    where datname = current_database() and application_name = 'foyer' and pid <> pg_backend_pid()))`;
