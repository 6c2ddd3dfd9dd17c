// A model service for tests: POST /chat/completions as a stream, and no cleverness. A marker word in the newest prompt says what it does.
// `node test/host/mock-model.mjs` prints where it listens; tests start it in their own process.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const SLOW_STEPS = 100;
const SLOW_STEP_MS = 200;
const CONTEXT = 'Current runtime context';

const QUESTIONS = [
  { id: 'q1', question: 'Which colour?', header: 'Colour', options: [{ label: 'red' }, { label: 'blue' }] },
  { id: 'q2', question: 'Free text?' },
];
const bash = (command, more = {}) => ({ tool: 'bash', args: { description: 'a step of the mock', command, ...more } });
const say = (text) => ({ text });

/** First match wins. */
const MARKERS = [
  [/DO_TOOL (\{.*\})/, ([, json]) => ({ tool: JSON.parse(json).name, args: JSON.parse(json).arguments ?? {} })],
  [
    /DO_ESCALATE/,
    () => bash('echo escalated', { sandbox_permissions: 'danger-full-access', justification: 'Need to write outside the workspace.' }),
  ],
  [/DO_OUT/, () => bash('echo x > /opt/countersign-probe.txt')],
  [/DO_BASH/, () => bash('echo hello-from-bash > out.txt && cat out.txt')],
  [/DO_ASK/, () => ({ tool: 'ask_user_question', args: { questions: QUESTIONS } })],
  [/DO_COMPLETE/, () => ({ tool: 'get_goal', args: {} })],
  [/DO_SLOW/, () => ({ text: 'mock: ok', isSlow: true })],
  [/DO_FAIL ?(\d{3})?/, ([, status]) => ({ status: Number(status ?? 400) })],
];

/** Starts one; `close` ends it. */
export async function startMockModel() {
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (!request.url.endsWith('/chat/completions')) return json(response, 200, { object: 'list', data: [{ id: 'deepseek-v4-flash' }] });
    count += 1;
    await answer(JSON.parse(Buffer.concat(chunks).toString()), response, count).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer({ messages, tools = [], model }, response, count) {
  const offered = tools.map((tool) => tool.function.name);
  const step = offered.length === 0 ? say('Mock title') : decide(messages);
  if (step.status) return json(response, step.status, { error: { message: `mock failure ${step.status}`, type: 'mock', code: 'mock' } });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta, finish_reason = null) => {
    const chunk = {
      id: `mock-${count}`,
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    };
    const usage = finish_reason && { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
    response.write(`data: ${JSON.stringify({ ...chunk, ...usage })}\n\n`);
  };
  send({ role: 'assistant', content: '' });
  for (let index = 0; step.isSlow && index < SLOW_STEPS && !response.destroyed; index += 1) {
    send({ content: 'slow ' });
    await new Promise((resolve) => setTimeout(resolve, SLOW_STEP_MS));
  }
  if (step.tool && offered.includes(step.tool)) {
    send({
      tool_calls: [
        { index: 0, id: `call_${count}`, type: 'function', function: { name: step.tool, arguments: JSON.stringify(step.args) } },
      ],
    });
    send({}, 'tool_calls');
  } else {
    send({ content: step.text ?? `mock: no tool ${step.tool}; there are ${offered.join(', ')}` });
    send({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}

/** Looks at what came after the model's last word: the result of its call, or a prompt. The host's own context is neither. */
function decide(messages) {
  const news = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const isPrompt = ({ role, content }) => role === 'user' && !textOf(content).startsWith(CONTEXT);
  const promptAt = news.findLastIndex(isPrompt);
  const resultAt = news.findLastIndex(({ role }) => role === 'tool');
  if (resultAt > promptAt) return afterTool(textOf(news[resultAt].content));
  const prompt = promptAt < 0 ? '' : textOf(news[promptAt].content);
  for (const [marker, step] of MARKERS) {
    const match = marker.exec(prompt);
    if (match) return step(match);
  }
  return say('mock: ok');
}

/** A goal that is to be completed is completed with the revision that the host has just shown. */
function afterTool(result) {
  const id = /goal-[0-9a-f-]{36}/.exec(result)?.[0];
  const revision = /"revision": ?(\d+)/.exec(result)?.[1];
  if (id && revision && result.includes('DO_COMPLETE') && /"phase": ?"active"/.test(result))
    return { tool: 'update_goal', args: { goal_id: id, revision: Number(revision), action: 'complete' } };
  return say(`mock: tool said ${result.slice(0, 400)}`);
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : '';
}

function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await startMockModel()).url);
