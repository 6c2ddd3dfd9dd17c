import type { AccountStatus, ConnectorAccount } from '#contracts';
import { providerState } from './accounts.js';
import { readEnvelope, statusCodeOf, statusOfError } from './answers.js';
import { checkSettings, chooseSecret } from './settings.js';
import { readHttpCall, readToolCall } from './call-answer.js';
import { resultOf } from './outcome.js';

const account = (id: string, status: AccountStatus, isDefault = false, updatedAt = 0): ConnectorAccount => ({
  ...{ id, service: 's', connectionName: null, label: id, providerAccountId: null, authType: null, status, isDefault, scopes: [] },
  ...{ createdAt: null, updatedAt },
});

describe('health', () => {
  it('401 is unauthorized', () => expect(statusCodeOf({ code: 401 })).toBe('unauthorized'));
  it('429 is rate-limited', () => expect(statusCodeOf({ cause: { response: { status: 429 } } })).toBe('rate-limited'));
  it('cancelled, and a real timeout, is timeout; what nobody knows is unavailable, without its text', () => {
    expect([{ code: 'cancelled' }, { code: -32_001 }, { cause: { name: 'TimeoutError' } }].map(statusCodeOf)).toEqual(['timeout', 'timeout', 'timeout']); // prettier-ignore
    expect(statusCodeOf(new Error('secret text'))).toBe('unavailable');
  });
  it('a status is found wherever the error has it', () => {
    expect(
      [{ status: 503 }, { code: 404 }, { response: { status: 418 } }, { cause: { cause: { status: 500 } } }, { code: -1 }].map(
        statusOfError,
      ),
    ).toEqual(
      [503, 404, 418, 500, undefined], // prettier-ignore
    );
  });
});

describe('accounts', () => {
  it('the default beats another that is active', () => {
    expect(providerState([account('a', 'active'), account('b', 'error', true)])).toBe('needs_attention');
  });
  it('a problem of one that is not the default keeps it connected', () => {
    expect(providerState([account('a', 'reauth_required'), account('b', 'active', true)])).toBe('connected');
  });
  it('a single account counts as the default', () => expect(providerState([account('a', 'active')])).toBe('connected'));
  it('several without a default are ambiguous', () => {
    expect(providerState([account('a', 'active'), account('b', 'active')])).toBe('ambiguous');
  });
  it('disconnected ones are ignored', () => {
    expect(providerState([account('a', 'disconnected'), account('b', 'active')])).toBe('connected');
    expect(providerState([account('a', 'disconnected', true)])).toBe('not_connected');
  });
});

describe('runtime', () => {
  it('a self-hosted connector needs no key, and a blank key is none', () => {
    expect(checkSettings({ name: 'own', endpoint: 'https://c.example/mcp' })).toMatchObject({ ok: true, value: { apiKeyEnv: 'OOMOL_CONNECT_RUNTIME_TOKEN' } }); // prettier-ignore
    expect(chooseSecret(' ', undefined)).toBeUndefined();
    expect(chooseSecret(' ', 'k ')).toEqual({ value: 'k', source: 'environment' });
  });
  it('a self-hosted bearer key, a server name and a time are taken', () => {
    const wish = { name: 'own', endpoint: 'http://[::1]:3000/mcp', serverName: 'own_1', toolCallTimeoutMs: 5_000 };
    expect(checkSettings(wish)).toMatchObject({ ok: true, value: { serverName: 'own_1', toolCallTimeoutMs: 5_000 } });
  });
});

describe('outcomes', () => {
  const http = (status: number, errorCode: string) =>
    readHttpCall({ status, text: JSON.stringify({ success: false, message: 'm', data: null, errorCode, meta: { executionId: 'e' } }) });
  it.each([
    [404, 'unknown_action', 'failed'],
    [400, 'invalid_input', 'failed'],
    [400, 'invalid_json', 'failed'],
    [404, 'connection_not_found', 'failed'],
    [409, 'idempotency_key_conflict', 'failed'],
    [400, 'oauth_client_config_required', 'failed'],
    [400, 'oauth_token_refresh_failed', 'failed'],
    [403, 'proxy_not_allowed', 'failed'],
    [400, 'action_blocked', 'denied'],
    [400, 'action_not_allowed', 'denied'],
    [403, 'connection_not_allowed', 'denied'],
    [500, 'provider_error', 'unknown'],
    [429, 'rate_limited', 'unknown'],
    [400, 'execution_cancelled', 'unknown'],
    [403, 'authorization_failed', 'unknown'],
    [409, 'idempotency_request_in_progress', 'unknown'],
    [400, 'something_new', 'unknown'],
  ])('%d %s of a write is %s', (status, code, outcome) => {
    expect(resultOf(http(status, code), 'write')).toMatchObject({ outcome, code });
  });
  it('a refused key, and a missing account over MCP, had no effect; a page of HTML tells nothing', () => {
    expect(resultOf(readHttpCall({ status: 401, text: '{"error":{"code":"unauthorized"}}' }), 'write').outcome).toBe('failed');
    const refused = { ok: false, error: { code: 'authorization_failed', details: { status: 401 } }, executionId: 'e' };
    expect(resultOf(readToolCall({ structuredContent: refused, isError: true }), 'write').outcome).toBe('failed');
    expect(resultOf(readToolCall({ structuredContent: { ...refused, connection: {} } }), 'write').outcome).toBe('unknown');
    const text = 'Input validation error: Invalid arguments for tool execute_action';
    expect(resultOf(readToolCall({ content: [{ type: 'text', text }], isError: true }), 'write').outcome).toBe('failed');
    expect(resultOf(readHttpCall({ status: 200, text: '<html>' }), 'destructive').outcome).toBe('unknown');
    expect(readEnvelope({ status: 302, text: '' })).toMatchObject({ ok: false, reason: 'request_failed' });
  });
});
