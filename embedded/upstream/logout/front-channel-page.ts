/**
 * The page that loads the logout addresses of clients in hidden frames (OpenID Connect Front-Channel Logout, section
 * 3) and continues when all have loaded, or after seven seconds. Without script, the meta refresh opens the next page after that time.
 */
import { escapeHtml } from '../http/exchange.js';

const LOAD_TIMEOUT_SECONDS = 7;

export function buildFrontChannelPage(frames: readonly string[], nextUrl: string): string {
  const target = escapeHtml(nextUrl);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Signing out</title>
<meta http-equiv="refresh" content="${LOAD_TIMEOUT_SECONDS}; URL=${target}">
<style>iframe { position: absolute; width: 0; height: 0; border: 0; }</style>
<script>
var remainingFrames = ${frames.length};
var nextUrl = ${toScriptString(nextUrl)};
function countLoad() { remainingFrames--; if (remainingFrames === 0) location.replace(nextUrl); }
setTimeout(function () { location.replace(nextUrl); }, ${LOAD_TIMEOUT_SECONDS * 1000});
</script>
</head>
<body>
<p>Signing out. <a href="${target}">Continue</a></p>
${frames.map((frame) => `<iframe src="${escapeHtml(frame)}" onload="countLoad()" title="Signing out"></iframe>`).join('\n')}
</body>
</html>
`;
}

/** Escapes `<`, because a script element ends at the first "</script>", even within a string. */
function toScriptString(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
