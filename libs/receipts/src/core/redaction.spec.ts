import { randomBytes } from 'node:crypto';
import { Redactor } from './redaction.js';
it('bench', () => {
  const secrets = Array.from({ length: 20 }, () => randomBytes(24).toString('base64'));
  let t = performance.now();
  const r = new Redactor(secrets);
  console.log('build', performance.now() - t);
  const line = 'drwxr-xr-x 12 root root 4096 Nov 30 15:36 src/components/tasks/list.ts: const value = compute(input, options);\n';
  const texts: Record<string, string> = {
    code: line.repeat(40_000),
    long: 'abcdefghij klmnop,'.repeat(240_000),
    eyj: 'eyJ'.repeat(350_000),
    begin: '-----BEGIN RSA PRIVATE KEY-----\n'.repeat(32_000),
    sk: 'sk-'.repeat(350_000),
    tok: 'token='.repeat(175_000),
    pw: 'password_'.repeat(116_000),
    ansi: ('\u001b[31m' + 'x'.repeat(20) + '\u001b[0m\n').repeat(36_000),
    nul: 'a\0'.repeat(524_288),
    url: '://a:b'.repeat(170_000),
    ghp: 'ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.repeat(24_000),
  };
  for (let k = 0; k < 2; k++)
    for (const [name, text] of Object.entries(texts)) {
      t = performance.now();
      const { count } = r.redact(text);
      const ms = performance.now() - t;
      console.log(
        name,
        (text.length / 1048576).toFixed(1),
        'MiB',
        ms.toFixed(1),
        'ms',
        (text.length / 1048576 / (ms / 1000)).toFixed(0),
        'MiB/s',
        count,
      );
    }
});
