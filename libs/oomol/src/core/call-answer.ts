import { isFields, type RawAnswer } from './answers.js';
import type { CallAnswer } from './outcome.js';

const MAX_ID = 200;
const CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** The answer of `POST /v1/actions/:id`. */
export function readHttpCall({ status, text }: RawAnswer): CallAnswer {
  const body = parsed(text);
  if (!isFields(body)) return status === 401 ? unauthorized('http') : { kind: 'nothing', code: 'invalid_answer' };
  const inner = isFields(body['error']) ? body['error']['code'] : undefined;
  const meta = isFields(body['meta']) ? body['meta'] : {};
  return {
    kind: 'answer',
    route: 'http',
    status,
    ok: status >= 200 && status < 300 && body['success'] === true,
    code: codeOf(body['errorCode'] ?? inner),
    executionId: idOf(meta['executionId'] ?? body['executionId']),
    auditPersisted: truthOf(meta['auditPersisted'] ?? body['auditPersisted']),
    hasConnection: null,
    data: body['data'] ?? null,
  };
}

/** The result of the tool `execute_action`. */
export function readToolCall(result: unknown): CallAnswer {
  const structured = isFields(result) && isFields(result['structuredContent']) ? result['structuredContent'] : undefined;
  if (!structured) {
    // Arguments of the tool that it refuses come without structure; nothing was run.
    const isRefused = isFields(result) && result['isError'] === true && textOf(result).startsWith('Input validation error');
    if (!isRefused) return { kind: 'nothing', code: 'invalid_answer' };
    return { ...unauthorized('mcp'), status: 200, code: 'invalid_input' };
  }
  const error = isFields(structured['error']) ? structured['error'] : {};
  const details = isFields(error['details']) ? error['details'] : {};
  const ok = structured['ok'] === true;
  return {
    kind: 'answer',
    route: 'mcp',
    status: ok ? 200 : typeof details['status'] === 'number' ? details['status'] : 200,
    ok,
    code: codeOf(error['code']),
    executionId: idOf(structured['executionId']),
    auditPersisted: truthOf(structured['auditPersisted']),
    hasConnection: isFields(structured['connection']),
    data: structured['data'] ?? null,
  };
}

function unauthorized(route: 'http' | 'mcp'): Extract<CallAnswer, { kind: 'answer' }> {
  return {
    ...{ kind: 'answer', route, status: 401, ok: false, code: 'unauthorized' },
    ...{ executionId: null, auditPersisted: null, hasConnection: null, data: null },
  };
}

function textOf(result: { readonly content?: unknown }): string {
  const [first] = Array.isArray(result.content) ? (result.content as readonly unknown[]) : [];
  return isFields(first) && typeof first['text'] === 'string' ? first['text'] : '';
}

function codeOf(value: unknown): string | null {
  return typeof value === 'string' && CODE.test(value) ? value : null;
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID && /^[\w.:-]+$/.test(value) ? value : null;
}

function truthOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON
  }
}
