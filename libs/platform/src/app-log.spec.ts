import fc from 'fast-check';
import { verifies } from '../../../test/support/verifies.js';
import { createLog } from './app-log.js';
import { redactLog } from './core/redact-log.js';

const TOKEN = 'csn_Zk3vQ7rT1xYpL9aB2cD4eF6gH8iJ0kM5nO7pQ9rS1tU';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(createLog('trace', { write: (line) => (text += line) }));
  return text;
}

verifies('http:no-token-in-logs', async () => {
  const said = logged((log) => {
    log.info({ headers: { authorization: `Bearer ${TOKEN}`, cookie: `csn_session=${TOKEN}` } }, `token ${TOKEN}`);
    log.error(new Error(`failed for /welcome#token=abcdef123456 and ?api_key=sk-123456&x=1`));
    log.warn({ body: { password: 'correct "horse"', token: 'plain' } }, 'Bearer abc.def');
    log.warn('postgresql://countersign:hunter2@db.example/countersign');
  });
  for (const secret of [TOKEN, 'abcdef123456', 'sk-123456', 'horse', 'plain', 'abc.def', 'hunter2']) expect(said).not.toContain(secret);
  expect(said).toContain('x=1');
  await Promise.resolve();
});

it('keeps every line JSON, whatever it holds', () => {
  const shape = fc.constantFrom(TOKEN, '"token":"', 'password=', 'Bearer x', '"', '\\', '://a:b@', 'cookie=', '\n', 'plain');
  fc.assert(
    fc.property(fc.array(fc.oneof(shape, fc.string({ maxLength: 8 })), { maxLength: 12 }), (parts) => {
      const line = logged((log) => log.info({ [`k${parts.join('')}`]: parts.join(''), nested: { token: parts.join('') } }, parts.join('')));
      expect(() => JSON.parse(line) as unknown).not.toThrow();
      expect(line).not.toContain(TOKEN.slice(0, 12));
    }),
    { numRuns: 500 },
  );
});

it('takes a long line in linear time', () => {
  const started = performance.now();
  for (const part of ['csn_', 'bearer ', 'token=', '"token":"', '://a:', 'a']) redactLog(part.repeat(1_000_000 / part.length));
  expect(performance.now() - started).toBeLessThan(2_000);
});
