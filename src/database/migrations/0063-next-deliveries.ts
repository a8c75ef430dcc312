/**
 * Only the first of the events of an account that wait for a sink has to be examined. Workers set the others aside with the time
 * `infinity` (`src/accounts/queue/event-deliveries.ts`). When an event no longer waits, because it was delivered, given up or deleted,
 * a trigger makes the next one due in the same statement, also for gateways of earlier versions, which set none aside.
 */
import type { Migration } from './migration.js';

export const nextDeliveries: Migration = {
  number: 63,
  name: 'next-deliveries',
  statements: [
    // The time is 100 years ago, so that a clock that is set back does not delay the event, and increases, so that accounts take turns.
    `create function event_delivery_next() returns trigger language plpgsql as $$
    begin
      update event_delivery set next_try_at = clock_timestamp() - interval '100 years'
      where next_try_at = 'infinity' and id = (
        select id from event_delivery
        where sink = old.sink and account_id = old.account_id and delivered_at is null and dead_at is null
        order by event limit 1);
      return null;
    end $$`,
    `create trigger event_delivery_done after update on event_delivery for each row
      when (old.delivered_at is null and old.dead_at is null and old.account_id is not null
        and (new.delivered_at is not null or new.dead_at is not null))
      execute function event_delivery_next()`,
    `create trigger event_delivery_deleted after delete on event_delivery for each row
      when (old.delivered_at is null and old.dead_at is null and old.account_id is not null)
      execute function event_delivery_next()`,
  ],
};
