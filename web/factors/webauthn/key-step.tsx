/**
 * Asks for a security key or passkey after hydration, unless the server rendered an error, and again when the button is pressed (MAN-12).
 * Without script it explains that script is required; the page offers the alternatives (GEN-9).
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnce } from '../../browser/once.js';
import { Notice } from '../../ui/notice.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { FaultAlert, useFault, type FaultCode, type FaultWords } from '../../ui/account/fault.js';
import { KeyPrompt } from './key-prompt.js';

export type KeyFailure = { code: FaultCode; retryAfterSeconds?: number };

interface Props {
  /** @returns the error; null if another page or view opens */
  ask: () => Promise<KeyFailure | null>;
  /** The error of the server. If present, the browser asks for the key only after a press of the button. */
  error: FaultCode | null;
  words?: FaultWords;
  /** What a person without script can do: choose an alternative, or turn script on. */
  scriptAdvice: ReactNode;
  /** Link that cancels, shown after the links to alternatives. */
  cancelLink?: ReactNode;
  /** Links to alternatives, shown while the browser asks and after a failure. */
  otherLinks?: ReactNode;
  kind: CredentialKind;
}

/** A factor whose proof is a WebAuthn response. */
export interface CredentialKind {
  factor: string;
  /** Shown while the browser asks. */
  prompt: ReactNode;
  scriptMessage: MessageKey;
  /** One sentence that explains what to do. */
  text: MessageKey;
}

export const SECURITY_KEY: CredentialKind = {
  factor: 'fido2',
  prompt: <KeyPrompt />,
  scriptMessage: 'factor.key_script',
  text: 'factor.key_text',
};

export function KeyStep({ ask, error, words, scriptAdvice, cancelLink, otherLinks, kind }: Props) {
  const { t } = useTranslation();
  const { fault, report, clear } = useFault(error);
  const [isAsking, setAsking] = useState(error === null);
  const [isRetried, setRetried] = useState(false);
  const attempt = async () => {
    const failure = await ask();
    if (!failure) return;
    report(failure);
    setAsking(false);
  };
  useOnce(() => {
    if (error === null) void attempt();
  });
  const retry = () => {
    clear();
    setAsking(true);
    setRetried(true);
    void attempt();
  };
  return (
    <>
      <Notice tone="warning" className="without-script" message={t(kind.scriptMessage)}>
        <p>
          {t('factor.key_script_why')} {scriptAdvice}
        </p>
      </Notice>
      <FaultAlert fault={fault} words={words} />
      {isAsking ? (
        <>
          <Prompt hasFocus={isRetried}>{kind.prompt}</Prompt>
          {(otherLinks || cancelLink) && (
            <div className="tight">
              {otherLinks}
              {cancelLink}
            </div>
          )}
        </>
      ) : (
        <div className="actions">
          <button className="btn primary needs-script" type="button" onClick={retry}>
            {t('app.try_again')}
          </button>
          {otherLinks}
          {cancelLink}
        </div>
      )}
    </>
  );
}

/** Takes the focus of the button that it replaces, so that the keyboard does not begin again at the top of the page. */
function Prompt({ hasFocus, children }: { hasFocus: boolean; children: ReactNode }) {
  const prompt = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hasFocus) prompt.current?.focus();
  }, [hasFocus]);
  return (
    <div ref={prompt} className="needs-script" tabIndex={-1}>
      {children}
    </div>
  );
}
