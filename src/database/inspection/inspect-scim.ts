/** Inspects the SCIM sources for the doctor. */
import { sql, type Kysely } from 'kysely';

export interface ScimInspection {
  /** By the source as accounts store it. `faultCount`: number of stored causes of refused calls. */
  sources: Readonly<Record<string, { lastAt: Date | null; faultCount: number }>>;
  /** Examined active people who have neither an identity at a provider nor a factor, so that they may not be able to sign in. */
  peopleWithoutWay: readonly { source: string; hasPassword: boolean; hasExternalId: boolean; people: number }[];
}

const MAX_PEOPLE = 5000;

export const NO_SCIM: ScimInspection = { sources: {}, peopleWithoutWay: [] };

export async function inspectScim(db: Kysely<unknown>): Promise<ScimInspection> {
  const sources = await sql<{ source: string; lastAt: Date | null; faultCount: number }>`
    select coalesce(s.source, f.source) as source, s.last_at as "lastAt", coalesce(f.faults, 0) as "faultCount"
    from scim_source s full join (select source, count(*)::integer as faults from scim_fault group by source) f
      on f.source = s.source`.execute(db);
  const peopleWithoutWay = await sql<ScimInspection['peopleWithoutWay'][number]>`
    select u.source, p.account_id is not null as "hasPassword", u.external_id is not null as "hasExternalId", count(*)::integer as people
    from (select account_id, source, external_id from scim_user where active and deleted_at is null limit ${MAX_PEOPLE}) u
      left join password_credential p on p.account_id = u.account_id
    where not exists (select from external_identity e where e.account_id = u.account_id)
      and not exists (select from account_factor f where f.account_id = u.account_id)
    group by 1, 2, 3`.execute(db);
  return {
    sources: Object.fromEntries(sources.rows.map(({ source, lastAt, faultCount }) => [source, { lastAt, faultCount }])),
    peopleWithoutWay: peopleWithoutWay.rows,
  };
}
