/** Findings of the start begin with the names of their settings and a colon. */
const SECRETS = /^(SECRETS_SYSTEM|OPERATOR_TOKENS?|HYDRA_ADMIN_TOKEN)\b/;

export function nameOf(finding: string): string {
  return finding.slice(0, Math.max(finding.indexOf(':'), 0));
}

export function isAboutSecrets(finding: string): boolean {
  return SECRETS.test(finding);
}

export function sentenceOf(finding: string): string {
  return /[.?!]$/.test(finding) ? finding : `${finding}.`;
}
