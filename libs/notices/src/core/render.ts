import type { Risk, WebhookFormat } from '#contracts';
import type { Notice } from './notice.js';

/** A message as one service takes it. */
export interface Message {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const COLOURS: Readonly<Record<Risk, number>> = { low: 0x2e7d32, medium: 0xb26a00, high: 0xc62828, blocked: 0x4a4a4a };

/** `id` is the delivery's; `publicUrl` has no trailing slash. Words of agents stand as text: no markup of any service works in them. */
export function render(format: WebhookFormat, id: string, notice: Notice, publicUrl: string): Message {
  const url = `${publicUrl}${notice.path}`;
  switch (format) {
    case 'json':
      return json({ id, type: notice.type, timestamp: new Date(notice.at).toISOString(), data: { ...dataOf(notice), url } });
    case 'slack':
      return json({ text: slackText(notice.title), blocks: slackBlocks(notice, url) });
    case 'teams':
      return json({
        type: 'message',
        attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: teamsCard(notice, url) }],
      });
    case 'discord':
      return json({ allowed_mentions: { parse: [] }, embeds: [discordEmbed(notice, url)] });
    case 'ntfy':
      return ntfy(notice, url);
    case 'feishu':
      return json({ msg_type: 'post', content: { post: { en_us: { title: notice.title, content: feishuLines(notice, url) } } } });
  }
}

function json(body: unknown): Message {
  return { contentType: 'application/json', headers: {}, body: JSON.stringify(body) };
}

function dataOf({ title, lines, risk, workspaceId }: Notice): Readonly<Record<string, unknown>> {
  return { title, lines, risk, workspace_id: workspaceId };
}

/** Slack knows three characters that begin something. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function slackBlocks({ title, lines, risk }: Notice, url: string): readonly unknown[] {
  const plain = (text: string): unknown => ({ type: 'plain_text', text, emoji: false });
  return [
    { type: 'header', text: plain(title.slice(0, 150)) },
    ...lines.map((line) => ({ type: 'section', text: plain(line) })),
    { type: 'context', elements: [plain(`Risk: ${risk}`)] },
    { type: 'actions', elements: [{ type: 'button', text: plain('Open the console'), url }] },
  ];
}

/** Text runs of a rich text block take no markdown. */
function teamsCard({ title, lines }: Notice, url: string): unknown {
  const block = (text: string, more: object): unknown => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...more }] });
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block(title, { weight: 'bolder', size: 'medium' }), ...lines.map((line) => block(line, {}))],
    actions: [{ type: 'Action.OpenUrl', title: 'Open the console', url }],
  };
}

function discordEmbed({ title, lines, risk, at }: Notice, url: string): unknown {
  return {
    title: discordText(title),
    url,
    color: COLOURS[risk],
    description: lines.map(discordText).join('\n'),
    timestamp: new Date(at).toISOString(),
  };
}

/** Every character that Discord's markdown gives a meaning stands for itself. */
function discordText(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~:@]/g, (character) => `\\${character}`);
}

/** Header values are ASCII; ntfy takes other titles in the encoding of mail headers. */
function ntfy({ title, lines, risk }: Notice, url: string): Message {
  return {
    contentType: 'text/plain; charset=utf-8',
    headers: { title: `=?UTF-8?B?${Buffer.from(title).toString('base64')}?=`, priority: risk === 'high' ? '4' : '3', click: url },
    body: lines.join('\n'),
  };
}

function feishuLines({ lines }: Notice, url: string): readonly (readonly unknown[])[] {
  return [...lines.map((text) => [{ tag: 'text', text }]), [{ tag: 'a', text: 'Open the console', href: url }]];
}
