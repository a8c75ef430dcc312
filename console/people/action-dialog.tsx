/** The dialog of one action on one account, and the dialog that follows some actions: a secret, or the words of a check. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.js';
import { HeldError, type AccountDetail } from '../api/calls.js';
import { accountKey, supportCheckQuery } from '../api/queries.js';
import { useSession } from '../session/session-context.js';
import { Initials } from '../ui/initials.js';
import { Moment } from '../ui/moment.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { SecretDialog } from '../ui/secret-dialog.js';
import { UserText } from '../ui/user-text.js';
import { toForm, toPatch } from './account-changes.js';
import {
  getAction,
  toUserOperand,
  type Action,
  type ActionInput,
  type ActionName,
  type ActionOutcome,
  type Requirements,
} from './actions.js';
import { ChangeFields, DaysField, LinkFields, TypedNameField } from './action-fields.js';
import { CheckState, CheckUse, SupportAddress, WordsDialog } from './support-check.js';

/** The action that the operator has chosen. */
export interface ActionSelection {
  name: ActionName;
  /** Id of the session, trusted browser, provider or factor that the action is about. */
  target?: string;
  /** The name of the target, as the page shows it. */
  label?: string;
  /** The reason that was already typed. */
  reason?: string | undefined;
}

interface ActionDialogProps {
  account: AccountDetail;
  selection: ActionSelection;
  /** The reason of the last action on this page, because helping a person often takes several actions. */
  lastReason: string;
  onReason(reason: string): void;
  onClose(): void;
}

export function ActionDialog(props: ActionDialogProps) {
  return props.selection.name === 'support_check' ? <CheckDialog {...props} /> : <Steps {...props} />;
}

/** If a check has begun and its dialog was closed, the check still waits for its words. */
function CheckDialog(props: ActionDialogProps) {
  const { account, lastReason, onClose } = props;
  const { data: check, isPending } = useQuery(supportCheckQuery(account.id));
  const [firstState, setFirstState] = useState<'open' | 'other'>();
  if (isPending) return null;
  if (firstState === undefined) setFirstState(check?.state === 'open' ? 'open' : 'other');
  if (firstState === 'open') return <WordsDialog account={account} reason={lastReason} onClose={onClose} />;
  return firstState === 'other' && <Steps {...props} />;
}

/** The confirmation, and the dialog that some actions show after it. */
function Steps(props: ActionDialogProps) {
  const { account, onClose } = props;
  const [outcome, setOutcome] = useState<ActionOutcome | null>(null);
  if (outcome?.secret)
    return <SecretDialog title={<DoneText account={account} outcome={outcome} />} secret={outcome.secret} onClose={onClose} />;
  if (outcome?.checkReason) return <WordsDialog account={account} reason={outcome.checkReason} onClose={onClose} />;
  return <Question {...props} onFollowingDialog={setOutcome} />;
}

interface QuestionProps extends ActionDialogProps {
  /** Called with an outcome that another dialog shows. */
  onFollowingDialog(outcome: ActionOutcome): void;
}

function Question({ account, selection, lastReason, onReason, onClose, onFollowingDialog }: QuestionProps) {
  const { t } = useTranslation();
  const action = getAction(selection.name);
  const { input, change, isTried, hasFault } = useInput(account, selection);
  const finish = useFinish(account, selection);
  const { second_operator: hasSecondOperator } = useSession();
  const [isChecking, setIsChecking] = useState(false);
  const check = useCheck(account, action, input);
  const [typedReason, setTypedReason] = useState<string>();
  const target = <UserText text={selection.label ?? input.target} />;
  const values = { ...toValues(account), target, page: <SupportAddress /> };
  const run = async (reason: string): Promise<void> => {
    // The page remembers the reason even if the action waits for a second operator or is refused.
    onReason(reason);
    const outcome = await finish(() => action.run(account, input, reason));
    if (hasFollowingDialog(outcome)) onFollowingDialog(outcome);
    else onClose();
  };
  return (
    <>
      <ReasonDialog
        title={<Phrase phrase={`action.${selection.name}_title`} values={values} />}
        subject={<Subject account={account} {...(selection.label === undefined ? {} : { label: selection.label })} />}
        effects={action.effects(account, { hasSecondOperator, check }).map((effect) => (
          <Phrase key={effect} phrase={effect} values={values} />
        ))}
        command={action.command(toUserOperand(account), input)}
        reason={selection.reason ?? lastReason}
        onReason={setTypedReason}
        confirm={check === 'missing' ? t('approvals.ask') : t(`action.${selection.name}_confirm`)}
        isHeld={check !== 'missing' && action.isHeld?.(account, input) === true}
        isDanger={action.isDanger && check !== 'missing'}
        hasFault={hasFault}
        run={run}
        onClose={onClose}
      >
        <Fields account={account} name={selection.name} input={input} change={change} isTried={isTried} />
        {check !== 'none' && <CheckState account={account} onBegin={() => setIsChecking(true)} />}
      </ReasonDialog>
      {isChecking && (
        <ActionDialog
          account={account}
          selection={{ name: 'support_check', reason: typedReason }}
          lastReason={lastReason}
          onReason={onReason}
          onClose={() => setIsChecking(false)}
        />
      )}
    </>
  );
}

/** The fields besides the reason, and whether one of them is missing or wrong. */
function useInput(account: AccountDetail, { name, target = '' }: ActionSelection) {
  const [input, setInput] = useState<ActionInput>(() => {
    const form = toForm(account);
    return {
      days: '14',
      typedName: '',
      form,
      originalForm: form,
      target,
      link: { source: '', isProvider: false, person: '' },
    };
  });
  const [isTried, setIsTried] = useState(false);
  const change = (changes: Partial<ActionInput>): void => setInput((previous) => ({ ...previous, ...changes }));
  const hasFault = (): boolean => {
    setIsTried(true);
    return isIncomplete(name, input, account);
  };
  return { input, change, isTried, hasFault };
}

/** Whether the action needs a check of who is calling, and whether one has passed. */
function useCheck(account: AccountDetail, action: Action, input: ActionInput): Requirements['check'] {
  const { support_check: hasCheck } = useSession();
  const needsCheck = hasCheck && action.needsCheck?.(account, input) === true;
  const { data: check } = useQuery({ ...supportCheckQuery(account.id), enabled: needsCheck });
  if (!needsCheck) return 'none';
  return check?.state === 'passed' ? 'passed' : 'missing';
}

const hasFollowingDialog = ({ secret, checkReason }: ActionOutcome): boolean => secret !== undefined || checkReason !== undefined;

interface FieldsProps {
  account: AccountDetail;
  name: ActionName;
  input: ActionInput;
  change(changes: Partial<ActionInput>): void;
  isTried: boolean;
}

function Fields({ account, name, input, change, isTried }: FieldsProps) {
  const isWrong = isTried && isIncomplete(name, input, account);
  if (name === 'schedule_deletion')
    return <DaysField days={input.days} isWrong={isWrong} onChange={(days) => change({ days })} />;
  if (name === 'delete') {
    return (
      <TypedNameField
        username={account.username}
        typedName={input.typedName}
        isWrong={isWrong}
        onChange={(typedName) => change({ typedName })}
      />
    );
  }
  if (name === 'support_check') return <CheckUse />;
  if (name === 'link') return <LinkFields link={input.link} isWrong={isWrong} onChange={(link) => change({ link })} />;
  if (name !== 'change') return null;
  return <ChangeFields account={account} form={input.form} isWrong={isWrong} onChange={(form) => change({ form })} />;
}

function isIncomplete(
  name: ActionName,
  { days, typedName, form, originalForm, link }: ActionInput,
  account: AccountDetail,
): boolean {
  if (name === 'schedule_deletion') return !/^([1-9]|[1-8]\d|90)$/.test(days);
  if (name === 'delete') return typedName.trim() !== account.username;
  if (name === 'link') return link.source === '' || link.person.trim() === '';
  return name === 'change' && Object.keys(toPatch(originalForm, form)).length === 0;
}

const toValues = ({ display_name: name, email, source }: AccountDetail) => ({
  name: (
    <b>
      <UserText text={name} />
    </b>
  ),
  address: <UserText text={email ?? ''} />,
  source: <UserText text={source ?? ''} />,
});

function Subject({ account: { display_name: name, username, email }, label }: { account: AccountDetail; label?: string }) {
  return (
    <div className="who">
      <Initials name={name} />
      <b>
        <UserText text={name} />
      </b>
      <span className="muted">
        <UserText text={username} />
        {email !== null && (
          <>
            {' · '}
            <UserText text={email} />
          </>
        )}
        {label !== undefined && (
          <>
            {' '}
            · <UserText text={label} />
          </>
        )}
      </span>
    </div>
  );
}

/** @returns a function that runs an action, reloads the page's data, and shows a notice of the outcome unless another dialog shows it */
function useFinish(account: AccountDetail, { name }: ActionSelection) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const notices = useNotices();
  const renew = (): void => {
    void client.invalidateQueries({ queryKey: accountKey(account.id) });
    void client.invalidateQueries({ queryKey: ['accounts'] });
    void client.invalidateQueries({ queryKey: ['events'] });
  };
  return async (perform: () => Promise<ActionOutcome>): Promise<ActionOutcome> => {
    let outcome: ActionOutcome;
    try {
      outcome = await perform();
    } catch (error) {
      // A held operation adds an event; with 404 or 409, the page may show an outdated state.
      if (error instanceof HeldError || (error instanceof ApiError && [404, 409].includes(error.status))) renew();
      throw error;
    }
    const text = <DoneText account={account} outcome={outcome} />;
    const tone = outcome.warning ? 'warning' : 'success';
    if (name === 'delete') {
      notices.show(text, { tone, path: '/people' });
      await navigate({ to: '/people' });
      client.removeQueries({ queryKey: accountKey(account.id) });
    } else if (!hasFollowingDialog(outcome)) notices.show(text, { tone });
    renew();
    return outcome;
  };
}

function DoneText({
  account,
  outcome: { phrase, text, count, expiresAt, warning },
}: {
  account: AccountDetail;
  outcome: ActionOutcome;
}) {
  const { t } = useTranslation();
  const values = {
    ...toValues(account),
    text: <UserText text={text ?? ''} />,
    count,
    time: expiresAt === undefined ? '' : <Moment at={expiresAt} />,
  };
  return (
    <>
      <Phrase phrase={phrase} values={values} {...(count === undefined ? {} : { count })} />
      {warning && <> {t(warning)}</>}
    </>
  );
}
