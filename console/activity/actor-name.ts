/** The name of an actor, in the audit log and in lists. */
import type { TFunction } from 'i18next';

/** @param actor `operator:` and a name, `operator` for the token without a name, `person` or `system`; null if nobody is named */
export function nameActor(actor: string | null, t: TFunction): string {
  switch (actor) {
    case null:
      return '–';
    case 'system':
      return t('actor.system');
    case 'person':
      return t('actor.person');
    case 'operator':
      return t('actor.unnamed');
    default:
      return actor.replace(/^operator:/, '');
  }
}
