// An agent that speaks the Agent Client Protocol on its standard streams and does what marker words say.
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

const OPTIONS = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Allow always', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const turns = new Map();
let count = 0;

agent({ name: 'test-agent' })
  .onRequest('initialize', () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'test-agent', version: '1.0.0' },
    agentCapabilities: {},
  }))
  .onRequest('session/new', () => ({ sessionId: `session-${(count += 1)}` }))
  .onRequest('session/prompt', ({ params, client }) => prompt(params, client))
  .onNotification('session/cancel', ({ params }) => turns.get(params.sessionId)?.abort())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function prompt({ sessionId, prompt: [{ text }] }, client) {
  const turn = new AbortController();
  turns.set(sessionId, turn);
  const update = (content) => client.notify('session/update', { sessionId, update: content });
  if (text.includes('DO_ESCALATE')) {
    const toolCall = { toolCallId: `call-${(count += 1)}`, title: 'bash', rawInput: { command: 'echo escalated' } };
    await update({ sessionUpdate: 'tool_call', status: 'pending', ...toolCall });
    const { outcome } = await client.request('session/request_permission', { sessionId, toolCall, options: OPTIONS });
    const status = outcome.optionId === 'once' ? 'completed' : 'failed';
    await update({ sessionUpdate: 'tool_call_update', toolCallId: toolCall.toolCallId, status, rawOutput: outcome });
  }
  if (text.includes('DO_SLOW')) await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
  if (text.includes('DO_DIE')) process.exit(3);
  await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'agent: ok' } });
  return { stopReason: turn.signal.aborted ? 'cancelled' : 'end_turn' };
}
