import type { Analysis } from '../analysis.js';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** Addresses inside a private network or of the machine's own services. */
const PRIVATE = /^(0\.|10\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[(?!::1\]))/;
const NAMED_PRIVATE = /(^|\.)(internal|local|localdomain|metadata|home\.arpa)\.?$/;

/** Judges where a URL leads: https anywhere, http to this machine only, nothing else. Without a scheme it is http. */
export function judgeUrl(analysis: Analysis, text: string): void {
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) && !/^[\w.-]+:\d+(\/|$)/.test(text) ? text : `http://${text}`;
  if (/[{}\s\\]/.test(text) || !URL.canParse(whole)) return analysis.fire('network.scheme', text);
  const { protocol, hostname, username, password, host, port } = new URL(whole);
  if (username !== '' || password !== '') analysis.fire('network.credential', 'A user name inside an address');
  const local = LOOPBACK.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && local)) return analysis.fire('network.scheme', text);
  if (!local && (PRIVATE.test(hostname) || NAMED_PRIVATE.test(hostname))) return analysis.fire('network.scheme', text);
  if (hostname === '') return analysis.fire('network.scheme', text);
  analysis.host(protocol === 'http:' && port === '' ? `${host}:80` : host);
  analysis.fire('network.connect', host);
}
