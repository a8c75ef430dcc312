/** The dialogs that grant a right to a person and revoke it. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { api, complete, toReasonHeader, unwrapChange, type Account, type Operator } from '../api/calls.js';
import { accountKey } from '../api/queries.js';
import { toUserOperand } from '../people/actions.js';
import { PersonChoice } from '../people/person-choice.js';
import { Field } from '../ui/field.js';
import { Moment } from '../ui/moment.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { Effects, ReasonDialog } from '../ui/reason-dialog.js';
import { RIGHTS, RightName, type Right } from '../ui/right-name.js';
import { UserText } from '../ui/user-text.js';

interface GrantDialogProps {
  /** The person who gets the right; chosen in the dialog if absent. */
  person?: Account;
  onClose(): void;
}

export function GrantDialog({ person: initialPerson, onClose }: GrantDialogProps) {
  const { t } = useTranslation();
  const [person, setPerson] = useState<Account | null>(initialPerson ?? null);
  const [right, setRight] = useState<Right>('read');
  const [lastDay, setLastDay] = useState('');
  const endField = useRef<HTMLInputElement>(null);
  const [isEndIncomplete, setIsEndIncomplete] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const grant = useGrant(onClose);
  const endsAt = toEnd(lastDay);
  const values = {
    name: <Name text={person?.display_name ?? t('operators.nobody')} />,
    right: (
      <b>
        <RightName right={right} />
      </b>
    ),
  };
  return (
    <ReasonDialog
      title={initialPerson ? <Phrase phrase="operators.grant_title" values={values} /> : t('operators.grant')}
      effects={[]}
      command={{
        words: ['operator', 'grant', person === null ? 'USERNAME' : toUserOperand(person), right],
        options: endsAt === undefined ? [] : [['until', endsAt]],
      }}
      confirm={t('operators.grant_confirm')}
      isHeld={right === 'admin'}
      hasFault={() => {
        setIsTried(true);
        // The browser reports no value for an incomplete day: the right would not end.
        const isIncomplete = endField.current?.validity.badInput === true;
        setIsEndIncomplete(isIncomplete);
        return person === null || isIncomplete;
      }}
      run={async (reason) => {
        if (person !== null) await grant({ person, right, endsAt, reason });
      }}
      onClose={onClose}
    >
      {!initialPerson && <PersonChoice person={person} onChoose={setPerson} isMissing={isTried && person === null} />}
      <RightChoice right={right} onChange={setRight} />
      <EndField ref={endField} lastDay={lastDay} isIncomplete={isEndIncomplete} onChange={setLastDay} />
      {person !== null && <GrantEffects values={values} endsAt={endsAt} />}
    </ReasonDialog>
  );
}

interface GrantEffectsProps {
  values: Readonly<Record<'name' | 'right', ReactNode>>;
  endsAt: string | undefined;
}

function GrantEffects({ values, endsAt }: GrantEffectsProps) {
  const end =
    endsAt === undefined
      ? []
      : [<Phrase key="2" phrase="operators.grant_end_effect" values={{ time: <Moment at={endsAt} /> }} />];
  return <Effects effects={[<Phrase key="1" phrase="operators.grant_effect" values={values} />, ...end]} />;
}

interface EndFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  lastDay: string;
  isIncomplete: boolean;
  onChange(lastDay: string): void;
}

function EndField({ ref, lastDay, isIncomplete, onChange }: EndFieldProps) {
  const { t } = useTranslation();
  const label = (
    <>
      {t('operators.end')} <span className="optional">{t('operators.optional')}</span>
    </>
  );
  const error = isIncomplete ? t('operators.end_incomplete') : undefined;
  return (
    <Field label={label} hint={t('operators.end_hint')} error={error} className="short">
      {(wiring) => (
        <input
          {...wiring}
          ref={ref}
          type="date"
          value={lastDay}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/**
 * @param lastDay a day in the time zone of the operator; empty if the right does not end
 * @returns the beginning of the next day, in UTC; undefined if the right does not end
 */
function toEnd(lastDay: string): string | undefined {
  const [year = 0, month = 0, day = 0] = lastDay.split('-').map(Number);
  const end = new Date(year, month - 1, day + 1);
  return lastDay === '' || Number.isNaN(end.getTime()) ? undefined : `${end.toISOString().slice(0, 16)}Z`;
}

interface Grant {
  person: Account;
  right: Right;
  endsAt: string | undefined;
  reason: string;
}

function useGrant(onDone: () => void) {
  const client = useQueryClient();
  const notices = useNotices();
  return async ({ person, right, endsAt, reason }: Grant): Promise<void> => {
    const body = { right, ...(endsAt === undefined ? {} : { ends_at: endsAt }) };
    const params = { path: { id: person.id } };
    await unwrapChange(api.POST('/operator/v1/accounts/{id}/operator-rights', { params, body, headers: toReasonHeader(reason) }));
    const values = { name: <Name text={person.display_name} />, right: <RightName right={right} /> };
    notices.show(<Phrase phrase="operators.grant_done" values={values} />);
    void client.invalidateQueries({ queryKey: ['operators'] });
    void client.invalidateQueries({ queryKey: accountKey(person.id) });
    onDone();
  };
}

const Name = ({ text }: { text: string }) => (
  <b>
    <UserText text={text} />
  </b>
);

function RightChoice({ right, onChange }: { right: Right; onChange(right: Right): void }) {
  const { t } = useTranslation();
  return (
    <fieldset className="options">
      <legend>{t('operators.right')}</legend>
      {RIGHTS.map((choice) => (
        <label key={choice} className="option">
          <input type="radio" name="right" checked={choice === right} onChange={() => onChange(choice)} />
          <span>
            <RightName right={choice} hasText />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface RevokeDialogProps {
  operator: Operator;
  right: string;
  onClose(): void;
}

export function RevokeDialog({ operator, right, onClose }: RevokeDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const values = {
    name: <Name text={operator.display_name} />,
    right: (
      <b>
        <RightName right={right} />
      </b>
    ),
  };
  const user = toUserOperand({ id: operator.account_id, username: operator.username });
  const run = async (reason: string): Promise<void> => {
    const params = { path: { id: operator.account_id, right } };
    await complete(api.DELETE('/operator/v1/accounts/{id}/operator-rights/{right}', { params, headers: toReasonHeader(reason) }));
    notices.show(<Phrase phrase="operators.revoke_done" values={values} />);
    void client.invalidateQueries({ queryKey: ['operators'] });
    void client.invalidateQueries({ queryKey: accountKey(operator.account_id) });
    onClose();
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="operators.revoke_title" values={values} />}
      effects={[<Phrase key="1" phrase="operators.revoke_effect" values={values} />]}
      command={{ words: ['operator', 'revoke', user, right] }}
      confirm={t('operators.revoke')}
      isDanger
      run={run}
      onClose={onClose}
    />
  );
}
