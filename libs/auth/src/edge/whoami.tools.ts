import { Injectable } from '@nestjs/common';
import { CHANNELS, PRINCIPAL_KINDS, ROLES, SCOPES } from '#contracts';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import { ServerInfo } from '#platform';
import * as z from 'zod';

const WhoamiInput = z.object({});
const WhoamiOutput = z.object({
  principal: z.object({ id: z.uuid(), kind: z.enum(PRINCIPAL_KINDS), name: z.string() }),
  scopes: z.array(z.enum(SCOPES)),
  roles: z.array(z.enum(ROLES)),
  channel: z.enum(CHANNELS),
  server: z.object({ version: z.string() }),
});

/** MCP door: tells a client who it is here and what it may do. */
@Injectable()
@McpTools()
export class WhoamiTools {
  constructor(private readonly server: ServerInfo) {}

  @McpTool({
    name: 'whoami',
    title: 'Who am I here',
    description: 'Tells under which principal you call, through which channel, and which scopes you have.',
    effect: 'read',
    scope: null,
    input: WhoamiInput,
    output: WhoamiOutput,
  })
  async whoami(_input: z.output<typeof WhoamiInput>, { principal }: ToolCall): Promise<z.input<typeof WhoamiOutput>> {
    const { id, kind, name, scopes, roles, channel } = principal;
    return Promise.resolve({
      principal: { id, kind, name },
      scopes: [...scopes],
      roles: [...roles],
      channel,
      server: { version: this.server.version },
    });
  }
}
