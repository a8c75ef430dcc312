/** Reads faults and warnings of the configuration, which begin with the names of their settings and a colon. */
const SECRETS = /^(SECRETS_SYSTEM|OPERATOR_TOKENS?|HYDRA_ADMIN_TOKEN)\b/;

export function toName(finding: string): string {
  return finding.slice(0, Math.max(finding.indexOf(':'), 0));
}

export function isAboutSecrets(finding: string): boolean {
  return SECRETS.test(finding);
}

export function toSentence(finding: string): string {
  return /[.?!]$/.test(finding) ? finding : `${finding}.`;
}
