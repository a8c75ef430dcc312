/**
 * The dialog of a change that needs a reason: what will happen and to whom, the reason, the command that does the same, and then the
 * call. What was typed stays when the call fails.
 */
import { useEffect, useId, useRef, useState, type ComponentRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.js';
import { HeldError } from '../api/calls.js';
import { useHeldNotice } from '../approvals/held-notice.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { useSession } from '../session/session-context.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { FaultAlert } from './fault-alert.js';
import { Field, RefusedField } from './field.js';
import { toVisibleText } from './visible-text.js';
import { formatCommand, type CommandLine } from '../people/command-line.js';

const MAX_REASON = 500;

interface ReasonDialogProps {
  title: ReactNode;
  /** The person whom the change concerns. */
  subject?: ReactNode;
  effects: readonly ReactNode[];
  /** Further fields, above the reason. */
  children?: ReactNode;
  /** The proposed reason, until the operator types another one. */
  reason?: string | undefined;
  /** Whether the reason was entered before, so that the dialog has no field for it. */
  isReasonGiven?: boolean;
  onReason?(reason: string): void;
  /** Whether a person may have asked for the change, so that beginnings of a reason are offered. Default: true. */
  isAskedFor?: boolean;
  /** Null if no command does the same. */
  command: CommandLine | null;
  /** The text of the button; null if there is nothing left to confirm. */
  confirm: string | null;
  isDanger?: boolean;
  /** Whether a second operator has to approve the change, if the installation requires approvals. */
  isHeld?: boolean;
  /** Whether something besides the reason is missing or wrong; the fields then show what. */
  hasFault?: () => boolean;
  run(reason: string): Promise<void>;
  onClose(): void;
}

export function ReasonDialog(props: ReasonDialogProps) {
  const { title, subject, effects, children, isReasonGiven = false, command, confirm, isHeld = false, onClose } = props;
  const { t } = useTranslation();
  const { second_operator: hasSecondOperator } = useSession();
  const needsApproval = isHeld && hasSecondOperator;
  const { reason, isTyped, setReason, fault, error, isBusy, submit } = useReason(props);
  return (
    <Dialog title={title} onClose={onClose} isBusy={isBusy}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <div className="dialog-body">
          {subject && <div className="subject">{subject}</div>}
          {effects.length > 0 && <Effects effects={effects} />}
          <RefusedField value={error instanceof ApiError ? (error.hints.field ?? null) : null}>{children}</RefusedField>
          {!isReasonGiven && (
            <ReasonField
              reason={reason}
              isTyped={isTyped}
              isAskedFor={props.isAskedFor !== false}
              fault={fault}
              onChange={setReason}
            />
          )}
          {needsApproval && <p className="hint">{t('approvals.effect')}</p>}
          {command && <Command text={formatCommand(addReason(command, reason.trim()))} />}
        </div>
        {error !== null && <Refusal error={error} />}
        <Buttons
          confirm={needsApproval ? t('approvals.ask') : confirm}
          isDanger={props.isDanger === true && !needsApproval}
          isBusy={isBusy}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

interface ReasonFieldProps {
  reason: string;
  isTyped: boolean;
  isAskedFor: boolean;
  fault: ReasonFault | null;
  onChange(reason: string): void;
}

/** How people ask for help. A click inserts the beginning of a reason, and the operator completes it. */
const BEGINNINGS = ['dialog.reason_phone', 'dialog.reason_message', 'dialog.reason_ticket'] as const;

function ReasonField({ reason, isTyped, isAskedFor, fault, onChange }: ReasonFieldProps) {
  const { t } = useTranslation();
  const input = useRef<ComponentRef<'textarea'>>(null);
  return (
    <div className="stack tight">
      <Field
        label={t('dialog.reason')}
        hint={t('dialog.reason_hint')}
        error={fault ? t(fault, { count: MAX_REASON }) : undefined}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            ref={input}
            name="reason"
            required
            rows={2}
            enterKeyHint="send"
            value={reason}
            // Typing replaces a proposed reason.
            onFocus={({ currentTarget }) => !isTyped && currentTarget.select()}
            onKeyDown={submitOnEnter}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Field>
      {isAskedFor && reason === '' && (
        <div className="row wrap beginnings" role="group" aria-label={t('dialog.reason_begin')}>
          {BEGINNINGS.map((beginning) => (
            <button
              key={beginning}
              type="button"
              className="button small"
              onClick={() => {
                onChange(`${t(beginning)} `);
                input.current?.focus();
              }}
            >
              {t(beginning)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Enter submits, as in a field of one line; Shift+Enter begins a new line. */
function submitOnEnter(event: KeyboardEvent<ComponentRef<'textarea'>>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Always in view, between the body, which scrolls, and the buttons. It takes the focus, which the disabled button has lost. */
function Refusal({ error }: { error: unknown }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = ref.current?.closest('form')?.querySelector('.field:has([aria-invalid=true])');
    field?.closest('details')?.setAttribute('open', '');
    field?.scrollIntoView({ block: 'nearest' });
    ref.current?.focus({ preventScroll: true });
  }, [error]);
  return (
    <div ref={ref} className="dialog-fault" tabIndex={-1}>
      <FaultAlert error={error} />
    </div>
  );
}

type ButtonsProps = Pick<ReasonDialogProps, 'confirm' | 'onClose'> & { isDanger: boolean; isBusy: boolean };

function Buttons({ confirm, isDanger, isBusy, onClose }: ButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className="dialog-foot">
      <button type="button" className="button" onClick={onClose} disabled={isBusy}>
        {t(confirm === null ? 'dialog.close' : 'dialog.cancel')}
      </button>
      {confirm !== null && (
        <button type="submit" className={`button ${isDanger ? 'danger' : 'primary'}`} aria-busy={isBusy} disabled={isBusy}>
          {isBusy && <span className="spinner" aria-hidden="true" />}
          {confirm}
        </button>
      )}
    </div>
  );
}

export function Effects({ effects, title = 'dialog.effects' }: { effects: readonly ReactNode[]; title?: PhraseKey | undefined }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="stack tight">
      <p id={id}>{t(title)}</p>
      <ul className="effects" aria-labelledby={id}>
        {effects.map((effect, index) => (
          <li key={index}>
            <span>{effect}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Adds the reason to the command; a placeholder if no reason is entered yet. */
function addReason(command: CommandLine, reason: string): CommandLine {
  return { ...command, options: [...(command.options ?? []), ['reason', reason || '…']] };
}

type ReasonFault = 'dialog.reason_missing' | 'dialog.reason_too_long';

function useReason({ reason: proposedReason = '', confirm, hasFault, run, onReason, onClose }: ReasonDialogProps) {
  const showHeld = useHeldNotice();
  const [typedReason, setTypedReason] = useState<string>();
  const reason = typedReason ?? proposedReason;
  const setReason = (text: string): void => {
    setTypedReason(text);
    onReason?.(text);
  };
  const [isTried, setIsTried] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  const fault = findReasonFault(reason);

  const submit = (form: HTMLFormElement): void => {
    // Enter in a field submits the form even without a button.
    if (isBusy || confirm === null) return;
    setIsTried(true);
    setError(null);
    const isWrong = hasFault?.() === true;
    if (isWrong || fault !== null) {
      // Waits until the fields show what is missing.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    setIsBusy(true);
    run(reason.trim())
      .catch((cause: unknown) => {
        if (cause instanceof HeldError) {
          showHeld(cause.approval);
          onClose();
        } else if (isOpen.current) setError(cause);
      })
      .finally(() => isOpen.current && setIsBusy(false));
  };
  return { reason, isTyped: typedReason !== undefined, setReason, fault: isTried ? fault : null, error, isBusy, submit };
}

function findReasonFault(reason: string): ReasonFault | null {
  if (reason.trim() === '') return 'dialog.reason_missing';
  return [...reason.trim()].length > MAX_REASON ? 'dialog.reason_too_long' : null;
}

/** The command that does the same, for operators who write a script. */
function Command({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <details className="command">
      <summary>{t('dialog.command')}</summary>
      <div className="command-text">
        <code>{toVisibleText(text)}</code>
        <CopyButton isIcon text={text} label={t('dialog.copy_command')} />
      </div>
    </details>
  );
}
