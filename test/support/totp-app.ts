export { TotpApp } from '../../testing/totp-app.js';
